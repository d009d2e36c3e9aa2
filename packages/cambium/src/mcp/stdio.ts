/**
 * MCP over standard input and output, for as long as the client keeps them open.
 *
 * @module
 */
import type { Readable, Writable } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { AnsweringTransport } from "./answering-transport.js";
import { MemoryServers } from "./memory-server.js";
import type { ServingOptions } from "./serving.js";

export interface StdioOptions extends ServingOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends it early. */
  readonly signal: AbortSignal;
  readonly onError: (error: Error) => void;
}

/** Resolves when the client has closed its end, and every request before that has been answered. */
export async function serveOverStdio({
  input,
  output,
  signal,
  onError,
  ...options
}: StdioOptions): Promise<void> {
  const servers = await MemoryServers.prepare(options);
  const transport = new AnsweringTransport(input, output);
  const handle = serveStdio(({ era }) => servers.create({ era, lasts: true }), {
    transport,
    onerror: onError,
  });
  const stop = (): void => void handle.close();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await transport.closed;
  signal.removeEventListener("abort", stop);
}
