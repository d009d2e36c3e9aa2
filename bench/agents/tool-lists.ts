/**
 * What a list of tools costs those who are shown it: the client by wire, the model by what most clients pass on.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Device } from "./device.ts";
import { McpProcess } from "./mcp-process.ts";

export interface ToolList {
  readonly set: string;
  readonly tools: number;
  /** Of the whole answer, as JSON. */
  readonly bytes: number;
  /** Of names, descriptions and input schemas alone. */
  readonly shownBytes: number;
  readonly tokens: number;
  readonly shownTokens: number;
}

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

const SETS = ["lean", "full", "official"];

/** Estimated, and rather too high: tokenizers differ. Of these lists, o200k_base makes a token of 4.2 bytes and more. */
const BYTES_PER_TOKEN = 4;

export async function measureToolLists(device: Device): Promise<readonly ToolList[]> {
  const lists: ToolList[] = [];
  for (const set of SETS) {
    await using server = new McpProcess(device.env, device.cwd, ["--tools", set]);
    await server.initialize();
    const { tools } = (await server.request("tools/list", {})) as { readonly tools: readonly Tool[] };
    assert(tools.length > 0);
    const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const [bytes, shownBytes] = [bytesOf({ tools }), bytesOf(shown)];
    lists.push({
      ...{ set, tools: tools.length, bytes, shownBytes },
      ...{ tokens: tokensOf(bytes), shownTokens: tokensOf(shownBytes) },
    });
  }
  return lists;
}

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));

const tokensOf = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);
