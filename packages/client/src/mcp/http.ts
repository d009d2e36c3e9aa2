/**
 * MCP over Streamable HTTP, for a server that has already decided whether the caller may come in.
 *
 * Requests carry all there is to know, also for clients of older versions: there are no sessions to lose.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { MemoryServers } from "./memory-server.js";
import type { ServingOptions } from "./serving.js";

export interface McpEndpoint extends AsyncDisposable {
  /** Answers one request to `/mcp`; the host has checked Host, Origin and token. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  close(): Promise<void>;
}

export interface McpEndpointOptions extends ServingOptions {
  readonly onError?: ((error: Error) => void) | undefined;
}

export async function openMcpEndpoint({ onError, ...options }: McpEndpointOptions): Promise<McpEndpoint> {
  const servers = await MemoryServers.prepare(options);
  const handler = createMcpHandler(() => servers.create(), onError === undefined ? {} : { onerror: onError });
  const handle = toNodeHandler(handler);
  return {
    handle: async (request, response) => {
      // Node says `undefined` where the adapter leaves properties out.
      await handle(request as NodeIncomingMessageLike, response);
    },
    close: () => handler.close(),
    [Symbol.asyncDispose]: () => handler.close(),
  };
}
