/** The official memory server, a process with a file of its own, and ours in its place: asked the same. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Connected, connect, type ReplicaHere, replicaHere } from "../../support/connected.js";

export interface ToolCall {
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

export const toolCall = (tool: string, args: Record<string, unknown> = {}): ToolCall => ({ tool, args });

const officialBin = (): string => {
  const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/package.json");
  return join(dirname(manifest), "dist", "index.js");
};

export class BothServers implements AsyncDisposable {
  readonly official: Client;
  readonly here: ReplicaHere;
  readonly #dir: string;
  #connected: Connected | undefined;
  #spaces = 0;

  private constructor(official: Client, here: ReplicaHere, dir: string) {
    this.official = official;
    this.here = here;
    this.#dir = dir;
  }

  static async start(): Promise<BothServers> {
    const dir = mkdtempSync(join(tmpdir(), "official-memory-"));
    const official = new Client({ name: "conformance", version: "1.0.0" });
    const transport = new StdioClientTransport({
      ...{ command: process.execPath, args: [officialBin()], stderr: "ignore" },
      env: { MEMORY_FILE_PATH: join(dir, "memory.jsonl") },
    });
    await official.connect(transport);
    const both = new BothServers(official, await replicaHere(), dir);
    await both.empty();
    return both;
  }

  get ours(): Client {
    if (this.#connected === undefined) throw new Error("Ours has not been started.");
    return this.#connected.client;
  }

  /** Both begin again: the official server reads its file at every call, ours gets another space. */
  async empty(): Promise<void> {
    const file = join(this.#dir, "memory.jsonl");
    if (existsSync(file)) rmSync(file);
    await this.#connected?.[Symbol.asyncDispose]();
    this.#spaces += 1;
    const space = `graph ${this.#spaces}`;
    await this.here.replica.createSpace({ name: space });
    this.#connected = await connect(this.here.replica, { settings: { tools: "official", space } });
  }

  async ask({ tool: name, args }: ToolCall): Promise<{ readonly official: object; readonly ours: object }> {
    const [official, ours] = await Promise.all([
      this.official.callTool({ name, arguments: args }),
      this.ours.callTool({ name, arguments: args }),
    ]);
    return { official, ours };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connected?.[Symbol.asyncDispose]();
    await this.official.close();
    await this.here[Symbol.asyncDispose]();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
