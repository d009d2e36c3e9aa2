/**
 * A server under test: a process with a directory of its own, and spaces on it.
 *
 * @module
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { type EventEmitter, once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Usage } from "./usage.ts";

/** A protocol, and who serves it. */
export interface ServerKind {
  readonly name: string;
  readonly protocol: "log" | "stock";
  /** A checkout whose packages are built. */
  readonly build: string;
}

/** A space has one document here. */
export interface BenchSpace {
  readonly name: string;
  /** Absent where the server asks for none. */
  readonly token?: string;
  readonly documentId: string;
}

const PROCESSES = { log: "cambium-relay-process.ts", stock: "stock-server-process.ts" } as const;
/** A stock server under load may not look up for a minute. */
const ANSWER_MS = 120_000;

/** A server, or its clients, did not come to an end in time. */
export class Unanswered extends Error {}
/** For a profile of the server: `--cpu-prof --cpu-prof-dir=…`. */
const FLAGS = process.env.CAMBIUM_BENCH_SERVER_FLAGS;

export class BenchServer implements AsyncDisposable {
  readonly kind: ServerKind;
  readonly #dir: string;
  readonly #flags: readonly string[];
  readonly #adminToken = `cambium_relay_${randomBytes(24).toString("hex")}`;
  #child: ChildProcess | undefined;
  #url = "";

  private constructor(kind: ServerKind, dir: string, flags: readonly string[]) {
    this.kind = kind;
    this.#dir = dir;
    this.#flags = flags;
  }

  /** Runs `use` with a server that has no data yet. @param flags - of Node, for the server */
  static async with<Result>(
    kind: ServerKind,
    use: (server: BenchServer) => Promise<Result>,
    flags: readonly string[] = [],
  ): Promise<Result> {
    await using dir = await mkdtempDisposable(join(tmpdir(), "cambium-bench-relay-"));
    await using server = new BenchServer(kind, dir.path, flags);
    await server.start();
    return await use(server);
  }

  get url(): string {
    return this.#url;
  }

  get adminToken(): string {
    return this.#adminToken;
  }

  /** At the address that it had. */
  async start(): Promise<void> {
    const file = fileURLToPath(new URL(PROCESSES[this.kind.protocol], import.meta.url));
    const port = this.#url === "" ? "0" : new URL(this.#url).port;
    const child = fork(file, [this.#dir, this.#adminToken, port, this.kind.build], {
      // automerge-repo's throttle asks for times in the past.
      execArgv: [
        ...["--expose-gc", "--disable-warning=TimeoutNegativeWarning"],
        ...[...this.#flags, ...(FLAGS?.split(" ") ?? [])],
      ],
    });
    this.#child = child;
    this.#url = await answer<string>(child);
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  /** @param moment - `settled`: after a collection, for its memory */
  async usage(moment: "now" | "settled" = "now"): Promise<Usage> {
    const child = this.#child as ChildProcess;
    child.send(moment);
    return await answer<Usage>(child);
  }

  /** A space that did not exist. */
  async newSpace(): Promise<BenchSpace> {
    const [name, documentId] = [`bench-${randomBytes(6).toString("hex")}`, randomBytes(16).toString("hex")];
    if (this.kind.protocol === "stock") return { name, documentId };
    const response = await fetch(`${this.url}/spaces`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.#adminToken}`, "content-type": "application/json" },
      body: JSON.stringify({ space: name }),
    });
    const { token } = (await response.json()) as { readonly token: string };
    return { name, token, documentId };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A profile is written by a process that ends by itself.
    await this.kill(FLAGS === undefined ? "SIGKILL" : "SIGINT");
  }
}

/**
 * The next message of a process.
 *
 * @throws {Unanswered} when it takes too long
 */
export async function answer<Message>(emitter: EventEmitter, withinMs = ANSWER_MS): Promise<Message> {
  const signal = AbortSignal.timeout(withinMs);
  const ended = once(emitter, "exit", { signal }).then(([code]) => {
    throw new Error(`The process ended with ${code}.`);
  });
  ended.catch(() => {});
  const timeout = (error: unknown): never => {
    throw signal.aborted ? new Unanswered(`No answer within ${withinMs / 1_000} s.`) : error;
  };
  const [message] = await Promise.race([once(emitter, "message", { signal }), ended]).catch(timeout);
  return message as Message;
}
