/** Small made-up values, and an `Io` that keeps what was written. */

import type { Recalled } from "@cambium/client";
import { manualTimers, type Timers } from "@cambium/client/host";
import type {
  Author,
  ChangeHash,
  LogEntry,
  Memory,
  MemoryId,
  RecordHash,
  ReplicaId,
  SpaceId,
} from "@cambium/core";
import picocolors from "picocolors";
import type { Io } from "../../src/cli/io.js";
import type { Style } from "../../src/cli/render/style.js";

export const NOW = Date.UTC(2026, 10, 21, 12, 0);
export const HOUR = 3_600_000;
export const SPACE = "0198c2a4-0000-7000-8000-00000000aaaa" as SpaceId;
export const REPLICA = "0198c2a4-0000-7000-8000-0000000051de" as ReplicaId;
export const OTHER_REPLICA = "0198c2a4-0000-7000-8000-000000003f2a" as ReplicaId;
export const TEA = "0198c2a4-7d3e-7c51-9f00-3c5e8a1b2d4f" as MemoryId;
export const RELEASE = "0198c2a4-81b0-7aaa-9f00-3c5e8a1b2d50" as MemoryId;

export const by = (agent: string, replica = REPLICA): Author => ({ agent, replica });
export const record = (digit: string): RecordHash => digit.repeat(64) as RecordHash;
export const change = (digit: string): ChangeHash => digit.repeat(64) as ChangeHash;

export function memory(overrides: Partial<Memory> = {}): Memory {
  return {
    id: TEA,
    content: "Prefers tea in the morning",
    tags: [],
    aliases: [],
    pins: [],
    links: [],
    deleted: false,
    version: 1,
    versions: 1,
    record: record("8"),
    at: NOW - 2 * HOUR,
    type: "create",
    by: by("cli"),
    conflicts: [],
    ...overrides,
  };
}

export function logEntry(overrides: Partial<LogEntry> & Pick<LogEntry, "hash">): LogEntry {
  return {
    type: "remember",
    memories: [TEA],
    at: NOW - HOUR,
    by: by("cli"),
    branch: "ma" as LogEntry["branch"],
    parents: [],
    ...overrides,
  };
}

export const plainStyle: Style = {
  colors: picocolors.createColors(false),
  columns: 80,
  nowMs: NOW,
  unicode: true,
};

export const colourStyle: Style = { ...plainStyle, colors: picocolors.createColors(true) };

export interface CapturedIo extends Io {
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly stop: (reason: string) => void;
}

export interface IoSettings {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly terminal?: boolean;
  /** Milliseconds since 1970; stands still unless said. */
  readonly now?: () => number;
  readonly userHome?: string;
  readonly cwd?: string;
  readonly timers?: Timers;
  readonly edit?: (text: string) => string;
  readonly rows?: number;
  readonly paged?: string[];
  /** In place of `stop`. */
  readonly signal?: AbortSignal;
}

export function capturedIo({
  input = "",
  env = {},
  terminal = false,
  now = () => NOW,
  timers = manualTimers(),
  userHome = "/home/ada",
  cwd = "/home/ada",
  ...more
}: IoSettings = {}): CapturedIo {
  const written = { out: "", err: "" };
  const controller = new AbortController();
  const output = (key: "out" | "err"): Io["output"] => ({
    write: (text) => {
      written[key] += text;
    },
    isTerminal: terminal,
    columns: terminal ? 80 : undefined,
    rows: more.rows,
  });
  return {
    input: (async function* () {
      yield typeof input === "string" ? new TextEncoder().encode(input) : input;
    })(),
    output: output("out"),
    errors: output("err"),
    env,
    userHome,
    cwd,
    now,
    timers,
    signal: more.signal ?? controller.signal,
    ...(more.paged === undefined
      ? {}
      : {
          page: async (text) => {
            more.paged?.push(text);
            return true;
          },
        }),
    ...(more.edit === undefined ? {} : { edit: async (text) => more.edit?.(text) ?? "" }),
    stdout: () => written.out,
    stderr: () => written.err,
    stop: (reason) => controller.abort(reason),
  };
}

/** As a recall answers that found nothing. */
export const nothingRecalled = (): Recalled =>
  Object.assign([], { certainty: "none" as const, advice: ["Nothing was found."] });
