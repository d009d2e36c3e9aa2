/**
 * How a daemon was started, left to the one that takes its place: who starts that one does not know.
 *
 * @module
 */
import { readFileSync, rmSync } from "node:fs";
import { writePrivateFile } from "@cambium/client/host";

export interface InheritedSettings {
  readonly stay: boolean;
  /** 0 for any free one. */
  readonly port: number;
}

export function leaveSettings(path: string, settings: InheritedSettings): void {
  if (settings.stay || settings.port !== 0) writePrivateFile(path, JSON.stringify(settings));
}

/** They count once: a port that is taken by now must not keep every later daemon from starting. */
export function takeSettings(path: string): InheritedSettings {
  try {
    const { stay, port } = JSON.parse(readFileSync(path, "utf8")) as Partial<InheritedSettings>;
    return { stay: stay === true, port: Number.isInteger(port) ? (port ?? 0) : 0 };
  } catch {
    return { stay: false, port: 0 }; // nobody left any
  } finally {
    rmSync(path, { force: true });
  }
}
