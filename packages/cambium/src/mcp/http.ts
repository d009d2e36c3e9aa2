/**
 * MCP over Streamable HTTP, for a server that has already decided whether the caller may come in.
 *
 * Requests carry all there is to know, also for clients of older versions: there are no sessions to lose.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type McpRequestContext } from "@modelcontextprotocol/server";
import { MemoryServers } from "./memory-server.js";
import { ResourceWatch } from "./resource-watch.js";
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
  const create = ({ era }: McpRequestContext) => servers.create({ era, lasts: false });
  const handler = createMcpHandler(create, onError === undefined ? {} : { onerror: onError });
  // Servers come and go with each request; streams of events belong to the endpoint.
  const watch = new ResourceWatch(servers.serving, {
    updated: (uri) => handler.notify.resourceUpdated(uri),
    listChanged: () => handler.notify.resourcesChanged(),
  });
  const close = async (): Promise<void> => {
    watch[Symbol.dispose]();
    await handler.close();
  };
  const handle = toNodeHandler(handler);
  return {
    handle: async (request, response) => {
      // Node says `undefined` where the adapter leaves properties out.
      await handle(request as NodeIncomingMessageLike, response);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
