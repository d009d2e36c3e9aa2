/**
 * `cambium mcp` as an agent starts it: a process, spoken to in lines of JSON. No client library, whose own loading
 * and checking would be measured, too.
 *
 * @module
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { CAMBIUM, type Environment, inherited } from "../support/cambium-command.ts";

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Nobody waits longer for a first answer. */
const TIMEOUT_MS = 60_000;
const PROTOCOL = "2025-06-18";

export class McpProcess implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #told = "";
  #nextId = 1;

  constructor(env: Environment, cwd: string, args: readonly string[] = []) {
    this.#child = spawn(process.execPath, [CAMBIUM, "mcp", ...args], {
      cwd,
      env: { ...inherited(), ...env },
    });
    createInterface(this.#child.stdout).on("line", (line) => this.#take(JSON.parse(line) as Answer));
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.#told += String(chunk);
    });
    this.#child.stdin.on("error", () => undefined); // it ended; those who wait get the error
    this.#child.on("error", (error) => this.#fail(error));
    this.#child.on("close", (code) => this.#fail(new Error(`It ended with ${code}. ${this.#told}`)));
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: "cambium-bench", version: "0" };
    await this.request("initialize", { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
    this.#send({ method: "notifications/initialized" });
  }

  /** @returns the structured part of what the tool replied */
  async call<Data>(name: string, args: object): Promise<Data> {
    const reply = (await this.request("tools/call", { name, arguments: args })) as {
      readonly isError?: boolean;
      readonly content: unknown;
      readonly structuredContent: unknown;
    };
    if (reply.isError === true) throw new Error(JSON.stringify(reply.content));
    return reply.structuredContent as Data;
  }

  async request(method: string, params: object): Promise<unknown> {
    const id = this.#nextId++;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#send({ id, method, params });
    const tooLong = (): void => waiting.reject(new Error(`No answer to ${method}. ${this.#told}`));
    const timer = setTimeout(tooLong, TIMEOUT_MS);
    try {
      return await waiting.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** As a client leaves: its end closes, and the server ends. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), TIMEOUT_MS);
    this.#child.stdin.end();
    await ended;
    clearTimeout(timer);
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #take({ id, result, error }: Answer): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
  }
}
