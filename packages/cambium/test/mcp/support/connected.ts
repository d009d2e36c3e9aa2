/** A client of the official SDK beside a server of ours, in one process. */

import type { Replica } from "@cambium/client";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { MemoryServers } from "../../../src/mcp/memory-server.js";
import type { McpSettings } from "../../../src/mcp/settings.js";

export { type ReplicaHere, replicaHere } from "../../../../client/test/support/replica-here.js";

export interface ConnectOptions {
  readonly settings?: McpSettings;
  readonly client?: ConstructorParameters<typeof Client>[1];
  readonly name?: string;
}

export interface Connected extends AsyncDisposable {
  readonly client: Client;
  readonly servers: MemoryServers;
  readonly errors: readonly Error[];
}

export async function connect(
  replica: Replica,
  { settings = {}, client: options, name = "Test Client" }: ConnectOptions = {},
): Promise<Connected> {
  const errors: Error[] = [];
  const servers = await MemoryServers.prepare({ replica, settings });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(({ era }) => servers.create({ era, lasts: true }), {
    transport: far as never,
    onerror: (error) => errors.push(error),
  });
  const client = new Client({ name, version: "1.0.0" }, options);
  await client.connect(near);
  return {
    ...{ client, servers, errors },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await handle.close();
    },
  };
}

/** What a tool said, as data and as text. */
export interface Said {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** @throws {Error} with the text of the tool's mistake */
export async function call(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<Said> {
  const result = await client.callTool({ name, arguments: args });
  const text = textOf(result);
  if (result.isError) throw new Error(text);
  return { data: result.structuredContent as Said["data"], text };
}

const textOf = (result: { readonly content?: unknown }): string =>
  ((result.content ?? []) as readonly { readonly text?: string }[]).map(({ text }) => text ?? "").join("\n");

/** What a tool said was wrong. */
export async function failed(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  if (!result.isError) throw new Error(`${name} did not fail: ${textOf(result)}`);
  return textOf(result);
}

/** A client of 2025, and one of 2026. */
export const ERAS = [
  ["before 2026-07-28", { versionNegotiation: { mode: "legacy" } }],
  ["since 2026-07-28", { versionNegotiation: { mode: "auto" } }],
] as const;

/** The first id among the data of an answer. */
export const idOf = ({ data }: Said): string =>
  (data.ids as readonly string[] | undefined)?.[0] ?? (data.id as string);
