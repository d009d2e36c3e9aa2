/** Processes of their own, for what only they can show: that they may be killed, and that they wait. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ArchiveOptions, ImportArchiveOptions } from "../../src/api.js";
import { Inbox } from "../sync/support/inbox.js";

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export interface WriterOptions {
  readonly dir: string;
  readonly stateDir: string;
  readonly storage?: "sqlite" | "fs";
  /** How many memories to write before it closes; endless unless said. */
  readonly count?: number;
  readonly agent: string;
  /** Whether to wait for the relay's receipts at the end. */
  readonly sync?: boolean;
  readonly seed: number;
}

/** A running process and the lines it has written. */
export class Process implements AsyncDisposable {
  readonly lines = new Inbox<string>();
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #said: string[] = [];
  readonly #ended: Promise<unknown>;

  constructor(path: string, args: readonly string[]) {
    this.#child = spawn(process.execPath, [path, ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#exited = once(this.#child, "exit");
    const reader = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream });
    reader.on("line", (line) => {
      this.#said.push(line);
      this.lines.put(line);
    });
    this.#ended = once(reader, "close");
  }

  /** Everything it said, once it has ended. */
  async said(): Promise<readonly string[]> {
    await Promise.all([this.#exited, this.#ended]);
    return this.#said;
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  /** kill -9, and everything it said until then. */
  async kill(): Promise<readonly string[]> {
    this.#child.kill("SIGKILL");
    return this.said();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

/** Says `open`, then the id of each memory it wrote. */
export const startWriter = (options: WriterOptions): Process =>
  new Process(script("./writer-process.mjs"), [JSON.stringify(options)]);

/** Says its address. */
export const startRelayProcess = (options: {
  readonly dataDir: string;
  readonly adminToken: string;
  readonly port?: number;
}): Process => new Process(script("./relay-process.mjs"), [JSON.stringify(options)]);

/** Says `open`, a line with each pack, and then what came of it. */
export const startRekeying = (options: { readonly dir: string; readonly stateDir: string }): Process =>
  new Process(script("./rekey-process.mjs"), [JSON.stringify(options)]);

/** Says `open`, then `erased` or why not. */
export const startEraser = (options: {
  readonly dir: string;
  readonly stateDir: string;
  readonly id: string;
  readonly ownerCode?: string;
}): Process => new Process(script("./erase-process.mjs"), [JSON.stringify(options)]);

/** Says the number of the last line of each segment that it has filled. */
export const startFillingAudit = (options: {
  readonly dir: string;
  readonly segmentBytes: number;
}): Process => new Process(script("./audit-process.mjs"), [JSON.stringify(options)]);

/** Says `open`, lines as it goes on, and `done`. */
export const startArchiving = (options: {
  readonly dir: string;
  readonly stateDir: string;
  readonly verb: "archive" | "import";
  readonly path: string;
  readonly options: ArchiveOptions | ImportArchiveOptions;
}): Process => new Process(script("./archive-process.mjs"), [JSON.stringify(options)]);
