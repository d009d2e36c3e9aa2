/**
 * Processes as the chaos holds them: they are asked, and killed.
 *
 * @module
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { AnswerMessage, CallName, Calls } from "./protocol.ts";

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The process ended before it answered. What it was asked to do may have happened or not. */
export class Killed extends Error {}

/** The replica could not do what it was asked. */
export class CallFailed extends Error {
  readonly code: string | undefined;

  constructor(call: string, { code, message }: { readonly code?: string; readonly message: string }) {
    super(`${call}: ${message}`);
    this.code = code;
  }
}

interface Waiting {
  readonly call: string;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** @param build - the checkout whose packages it runs; without one, that of CAMBIUM_BUILD, or this one */
const spawn = (name: string, args: readonly string[], build: string | undefined): ChildProcess =>
  // The children write what they have to say to our standard error; of tests' own options they know nothing.
  fork(script(name), args, {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, ...(build === undefined ? {} : { CAMBIUM_BUILD: build }) },
  });

export class ReplicaProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<unknown>;
  #next = 0;
  #isGone = false;

  constructor(build: string | undefined) {
    this.#child = spawn("replica-process.ts", [], build);
    this.#exited = once(this.#child, "exit");
    this.#child.on("message", (message: AnswerMessage) => this.#take(message));
    this.#child.on("exit", () => this.#end());
    this.#child.on("error", () => this.#end());
  }

  /** How many calls are unanswered. */
  get inFlight(): number {
    return this.#waiting.size;
  }

  call<Name extends CallName>(
    call: Name,
    ...[argument]: Parameters<Calls[Name]>
  ): Promise<ReturnType<Calls[Name]>> {
    if (this.#isGone) return Promise.reject(new Killed(call));
    const id = this.#next;
    this.#next += 1;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { call, resolve, reject });
    this.#child.send({ id, call, argument }, () => {}); // a send that fails ends with the process
    return promise as Promise<ReturnType<Calls[Name]>>;
  }

  /** kill -9. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  #take(message: AnswerMessage): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ("error" in message) waiting?.reject(new CallFailed(waiting.call, message.error));
    else waiting?.resolve(message.value);
  }

  #end(): void {
    this.#isGone = true;
    for (const { call, reject } of this.#waiting.values()) reject(new Killed(call));
    this.#waiting.clear();
  }
}

export class RelayProcess {
  readonly #child: ChildProcess;
  readonly port: number;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async start(dataDir: string, adminToken: string, build: string | undefined): Promise<RelayProcess> {
    const child = spawn("relay-process.ts", [dataDir, adminToken], build);
    const [message] = await Promise.race([
      once(child, "message"),
      once(child, "exit").then(() => Promise.reject(new Error("The relay ended before it was ready."))),
    ]);
    return new RelayProcess(child, (message as { readonly port: number }).port);
  }

  /** kill -9. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exited;
  }
}
