/** Agents that write: each through processes of its own, as real ones do. */
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { type Device, finished } from "../../packages/cambium/test/cli/processes.js";

/** What an agent holds in its hand when a write was acknowledged. */
export interface Acknowledged {
  readonly id: string;
  readonly content: string;
}

export interface WritingAgent {
  remember(content: string): Promise<Acknowledged>;
  /** Ends it as its owner would. */
  end(): Promise<void>;
  /** Whatever became of it. */
  kill(): void;
}

/** What a process does that did as it was asked. */
const WELL = { code: 0, stderr: "" };
/** Said by a command that waits for a second, or works for one: so it may where so many start at once. */
const WAITING = /^(?:Waiting for the memory to open …|Working …)\n/gm;

export const withoutWaits = (stderr: string): string => stderr.replace(WAITING, "");

/** A script: a process for each write. */
export class ScriptedAgent implements WritingAgent {
  readonly #device: Device;
  #running: ChildProcess | undefined;
  #isKilled = false;

  constructor(device: Device) {
    this.#device = device;
  }

  async remember(content: string): Promise<Acknowledged> {
    if (this.#isKilled) throw new Error("This agent was killed.");
    const child = this.#device.start(["remember", content, "--json"]);
    this.#running = child;
    child.stdin?.end();
    const { stdout, ...end } = await finished(child);
    refuseOtherThanWell(`cambium remember "${content}"`, end);
    const { id } = JSON.parse(stdout) as { readonly id: string };
    return { id, content };
  }

  async end(): Promise<void> {
    // Each of its processes has ended, or there would be no answer.
  }

  kill(): void {
    this.#isKilled = true;
    this.#running?.kill("SIGKILL");
  }
}

interface Answer {
  readonly id?: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: unknown;
    readonly structuredContent?: { readonly ids: readonly string[] };
  };
  readonly error?: unknown;
}

/** A client of MCP, with a server of its own for as long as it lives. */
export class McpAgent implements WritingAgent {
  readonly #child: ChildProcess;
  readonly #end: Promise<{ readonly code: number | null; readonly stderr: string }>;
  /** Never fulfilled. */
  readonly #gone: Promise<never>;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #asked = 0;

  constructor(device: Device) {
    this.#child = device.start(["mcp"]);
    this.#child.stdin?.on("error", () => undefined); // it has ended, and its end is told below
    createInterface({ input: this.#child.stdout ?? process.stdin }).on("line", (line) => this.#hear(line));
    this.#end = finished(this.#child);
    this.#gone = this.#end.then((end) => {
      throw new Error(`cambium mcp ended while it was asked: ${JSON.stringify(end)}`);
    });
    this.#gone.catch(() => undefined); // nobody may be asking just then
  }

  async greet(name: string): Promise<void> {
    const clientInfo = { name, version: "1.0.0" };
    await this.#ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    this.#send({ method: "notifications/initialized" });
  }

  async remember(content: string): Promise<Acknowledged> {
    const { result, error } = await this.#ask("tools/call", { name: "remember", arguments: { content } });
    const [id] = result?.structuredContent?.ids ?? [];
    if (error !== undefined || result?.isError === true || id === undefined)
      throw new Error(`"${content}" was not kept: ${JSON.stringify(error ?? result)}`);
    return { id, content };
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    refuseOtherThanWell("cambium mcp", await this.#end);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  async #ask(method: string, params: object): Promise<Answer> {
    this.#asked += 1;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.set(this.#asked, resolve);
    this.#send({ id: this.#asked, method, params });
    return await Promise.race([promise, this.#gone]);
  }

  #send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #hear(line: string): void {
    const answer = JSON.parse(line) as Answer;
    const { id } = answer;
    if (id === undefined) return; // a notification
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}

function refuseOtherThanWell(
  what: string,
  end: { readonly code: number | null; readonly stderr: string },
): void {
  if (end.code !== WELL.code || withoutWaits(end.stderr) !== WELL.stderr)
    throw new Error(`${what} ended otherwise than well: ${JSON.stringify(end)}`);
}
