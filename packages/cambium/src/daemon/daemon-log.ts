/**
 * The daemon's log: what started, ended and went wrong, never what memories say. Two files of at most 1 MB.
 *
 * @module
 */
import { appendFileSync, renameSync, statSync } from "node:fs";

type LogLevel = "ERROR" | "INFO" | "DEBUG";

export interface DaemonLog {
  error(message: string): void;
  info(message: string): void;
  /** Only with CAMBIUM_DEBUG=1. */
  readonly debug: ((message: string) => void) | undefined;
}

const LARGEST_BYTES = 1_000_000;
const PRIVATE_FILE = 0o600;

export interface DaemonLogOptions {
  readonly path: string;
  readonly now: () => number;
  readonly isVerbose: boolean;
  readonly largestBytes?: number;
}

export function openDaemonLog({
  path,
  now,
  isVerbose,
  largestBytes = LARGEST_BYTES,
}: DaemonLogOptions): DaemonLog {
  let sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const write = (level: LogLevel, message: string): void => {
    const line = `${new Date(now()).toISOString()} ${level} ${message.replaceAll("\n", "\n  ")}\n`;
    try {
      if (sizeBytes > largestBytes) {
        renameSync(path, `${path}.1`);
        sizeBytes = 0;
      }
      appendFileSync(path, line, { mode: PRIVATE_FILE });
      sizeBytes += Buffer.byteLength(line);
    } catch {
      // A full disk, or a home that was removed, must not end what still can be served from memory.
    }
  };
  return {
    error: (message) => write("ERROR", message),
    info: (message) => write("INFO", message),
    debug: isVerbose ? (message) => write("DEBUG", message) : undefined,
  };
}

/** Of a run that nobody wants to read about. */
export const silentLog: DaemonLog = { error: () => undefined, info: () => undefined, debug: undefined };
