/**
 * Writers: each a process as an agent or a script would have, told to write one thing after the other. What is
 * acknowledged is what it may rely on.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { CAMBIUM, type Environment, inherited, runCambium } from "../support/cambium-command.ts";

export interface Writer extends AsyncDisposable {
  /** Resolves when it is acknowledged. */
  write(text: string): Promise<void>;
}

const OFFICIAL = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-memory/dist/index.js"));

export const officialServer = (file: string): Promise<McpWriter> =>
  McpWriter.start([OFFICIAL], { MEMORY_FILE_PATH: file });

export const cambiumServer = (env: Environment): Promise<McpWriter> =>
  McpWriter.start([CAMBIUM, "mcp"], { ...env, CAMBIUM_TOOLS: "official" });

/** A client with a server of its own, as every client that speaks MCP over standard input and output has. */
class McpWriter implements Writer {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async start(args: readonly string[], env: Environment): Promise<McpWriter> {
    const client = new Client({ name: "lost-writes", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({
        ...{ command: process.execPath, args: [...args], stderr: "ignore" },
        env: { ...inherited(), ...env },
      }),
    );
    return new McpWriter(client);
  }

  async write(text: string): Promise<void> {
    await this.#call("create_entities", { entities: [{ name: text, entityType: "note", observations: [] }] });
  }

  async names(): Promise<readonly string[]> {
    const { entities } = (await this.#call("read_graph", {})) as { entities: readonly { name: string }[] };
    return entities.map(({ name }) => name);
  }

  async #call(name: string, args: Record<string, unknown>): Promise<unknown> {
    const { isError, content, structuredContent } = await this.#client.callTool({ name, arguments: args });
    if (isError) throw new Error(JSON.stringify(content));
    return structuredContent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }
}

/** A process for each write. */
export function cambiumCommand(env: Environment): Writer {
  return {
    write: async (text) => void (await runCambium(["remember", text], env)),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
