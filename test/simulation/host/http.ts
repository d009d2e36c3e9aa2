/**
 * HTTP over the simulated network: `http.createServer` for relays, `fetch` for replicas.
 *
 * @module
 */
import { EventEmitter } from "node:events";
import type nodeHttp from "node:http";
import { PassThrough } from "node:stream";
import { currentWorld } from "./current-world.ts";
import type { Connection, WireRequest, WireResponse } from "./network.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import type { World } from "./world.ts";

type Http = typeof nodeHttp;

export function installHttp(require: NodeJS.Require): void {
  const http = require("node:http") as Http;
  const realCreate = http.createServer.bind(http);
  http.createServer = ((handler: nodeHttp.RequestListener) => {
    const world = currentWorld();
    return world === undefined ? realCreate(handler) : new SimulatedServer(http, world, handler);
  }) as Http["createServer"];
  const realFetch = globalThis.fetch;
  globalThis.fetch = ((url: string | URL, options: RequestInit = {}) => {
    const world = currentWorld();
    return world === undefined ? realFetch(url, options) : simulatedFetch(world, new URL(url), options);
  }) as typeof fetch;
}

class SimulatedServer extends EventEmitter {
  readonly #http: Http;
  readonly #world: World;
  readonly #process: SimulatedProcess;
  readonly #handler: nodeHttp.RequestListener;
  #port = 0;

  constructor(http: Http, world: World, handler: nodeHttp.RequestListener) {
    super();
    this.#http = http;
    this.#world = world;
    this.#process = world.current;
    this.#handler = handler;
  }

  listen(port: number, _host: string, listening: () => void): this {
    this.#port = this.#world.network.listen(this.#process, port, (connection) => {
      connection.server.receiver = {
        receive: (message) => {
          if (message.kind === "request") this.#received(connection, message.request);
        },
        broken: () => {},
      };
    });
    this.#world.scheduleSoon(this.#process, listening);
    return this;
  }

  address(): { readonly port: number } {
    return { port: this.#port };
  }

  close(closed: () => void): this {
    this.#world.network.close(this.#port, this.#process);
    this.#world.scheduleSoon(this.#process, closed);
    return this;
  }

  closeIdleConnections(): void {}

  closeAllConnections(): void {}

  #received(connection: Connection, wire: WireRequest): void {
    const answer = (response: WireResponse): void =>
      connection.send(connection.client, { kind: "response", response });
    const request = new this.#http.IncomingMessage(new PassThrough() as never);
    const headers = { host: "relay", ...wire.headers };
    Object.assign(request, { method: wire.method, url: wire.path, headers });
    if (wire.isUpgrade) {
      this.emit("upgrade", request, upgradingSocket(connection, answer), Buffer.alloc(0));
      return;
    }
    if (wire.body !== undefined) {
      request.headers["content-length"] = String(Buffer.byteLength(wire.body));
      request.push(wire.body);
    }
    request.push(null);
    request.complete = true;
    this.#handler(request, this.#responseTo(request, answer));
  }

  /** Collects what is written, and answers with it in one piece. */
  #responseTo(
    request: nodeHttp.IncomingMessage,
    answer: (response: WireResponse) => void,
  ): nodeHttp.ServerResponse & { req: nodeHttp.IncomingMessage } {
    const response = new this.#http.ServerResponse(request);
    const end = (chunk?: string | Uint8Array): typeof response => {
      const headers = Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
      answer({
        status: response.statusCode,
        headers: Object.fromEntries(headers) as Record<string, string>,
        body: new Uint8Array(typeof chunk === "string" ? Buffer.from(chunk) : (chunk ?? [])),
      });
      return response;
    };
    return Object.assign(response, { end });
  }
}

/** An upgrade that is refused writes an answer of its own. */
function upgradingSocket(connection: Connection, answer: (response: WireResponse) => void): object {
  const end = (text: string): void => {
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 500);
    answer({ status, headers: {}, body: new Uint8Array() });
  };
  return Object.assign(new EventEmitter(), { connection, end });
}

function simulatedFetch(world: World, url: URL, options: RequestInit): Promise<object> {
  const { promise, resolve, reject } = Promise.withResolvers<object>();
  const unreachable = (): void => reject(new TypeError("fetch failed"));
  const signal = options.signal ?? undefined;
  signal?.addEventListener("abort", () => reject(signal.reason));
  world.network.connect(Number(url.port), {
    opened: (connection) => {
      connection.client.receiver = {
        receive: (message) => {
          if (message.kind === "response") resolve(toResponse(message.response));
        },
        broken: unreachable,
      };
      const request: WireRequest = {
        method: options.method ?? "GET",
        path: url.pathname + url.search,
        headers: (options.headers ?? {}) as Record<string, string>,
        body: typeof options.body === "string" ? options.body : undefined,
        isUpgrade: false,
      };
      connection.send(connection.server, { kind: "request", request });
    },
    failed: unreachable,
  });
  return promise;
}

/** As much of a `Response` as is used. */
const toResponse = ({ status, headers, body }: WireResponse): object => ({
  ok: status >= 200 && status < 300,
  status,
  headers: new Headers(headers),
  text: async () => Buffer.from(body).toString("utf8"),
  arrayBuffer: async () => body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength),
});
