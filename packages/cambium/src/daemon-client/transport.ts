/**
 * One request to the daemon's socket, and its answer. Knows nothing of operations, and tries nothing twice.
 *
 * @module
 */
import type { Agent, ClientRequest, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { CambiumError, throwIfAborted } from "@cambium/core/errors";
import { EVENT_STREAM } from "../operations/wire.js";
import { connectionLost } from "./connection-lost.js";
import { eventParser, type ServerEvent } from "./event-parser.js";
import { nodeHttp } from "./http.js";

export interface Exchange {
  /** Unix socket, or named pipe. */
  readonly socket: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** May take long: it gets a connection of its own, so that it holds up nobody. */
  readonly isLong?: boolean | undefined;
  /** Told of each event, where the daemon answers with a stream of them. */
  readonly onEvent?: ((event: ServerEvent) => void) | undefined;
}

export interface Reply {
  readonly status: number;
  /** Empty where the answer was a stream of events. */
  readonly text: string;
}

/** Calls beyond that wait for one another; the daemon does little at once anyway. */
const MOST_CONNECTIONS = 32;

export class Transport implements Disposable {
  #agent: Agent | undefined;

  /**
   * @throws {ConnectionLost}
   * @throws {CambiumError} ABORTED
   */
  async exchange(exchange: Exchange): Promise<Reply> {
    const { signal } = exchange;
    throwIfAborted(signal);
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const request = this.#request(exchange);
    const abort = (): void => {
      request.destroy();
      reject(new CambiumError("ABORTED", "Stopped by the caller.", { cause: signal?.reason }));
    };
    signal?.addEventListener("abort", abort, { once: true });
    const lose = (error: Error): void => reject(connectionLost(error));
    request.on("error", lose);
    request.on("response", (response) => collect(response, exchange, resolve, lose));
    request.end(exchange.body);
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  [Symbol.dispose](): void {
    this.#agent?.destroy();
    this.#agent = undefined;
  }

  #request({ socket, method, path, headers, body, isLong }: Exchange): ClientRequest {
    const http = nodeHttp();
    this.#agent ??= new http.Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS });
    const agent = isLong === true ? false : this.#agent;
    const sent: OutgoingHttpHeaders = { host: "localhost", ...headers };
    if (body !== undefined) {
      sent["content-type"] = "application/json";
      sent["content-length"] = Buffer.byteLength(body);
    }
    return http.request({ socketPath: socket, agent, method, path, headers: sent });
  }
}

function collect(
  response: IncomingMessage,
  { onEvent }: Exchange,
  resolve: (reply: Reply) => void,
  lose: (error: Error) => void,
): void {
  const isStream = response.headers["content-type"]?.startsWith(EVENT_STREAM) === true;
  const feed = isStream ? eventParser((event) => onEvent?.(event)) : undefined;
  const chunks: Buffer[] = [];
  response.on("data", (chunk: Buffer) => {
    if (feed === undefined) chunks.push(chunk);
    else feed(chunk);
  });
  response.on("error", lose);
  response.on("close", () => {
    if (!response.complete) lose(new Error("The connection broke in the middle of the answer."));
    else resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") });
  });
}
