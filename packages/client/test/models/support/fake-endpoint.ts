/** A real HTTP server on a port of its own that answers as told, then as a good endpoint does. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { ngramVector } from "./ngram-embedder.js";

export interface AskedEmbeddings {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[] } & Record<string, unknown>;
}

export type Behaviour = (response: ServerResponse, asked: AskedEmbeddings) => void;

export class FakeEndpoint implements AsyncDisposable {
  readonly asked: AskedEmbeddings[] = [];
  /** Used up one per request. */
  readonly next: Behaviour[] = [];
  /** For all requests after those. */
  always: Behaviour = goodAnswer;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<FakeEndpoint> {
    const endpoint = new FakeEndpoint();
    await once(endpoint.#server.listen(0, "127.0.0.1"), "listening");
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as AskedEmbeddings["body"];
    const asked = { path: request.url, authorization: request.headers.authorization, body };
    this.asked.push(asked);
    (this.next.shift() ?? this.always)(response, asked);
  }
}

export const send =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** In reverse order: only `index` says which is whose. */
const goodAnswer: Behaviour = (response, { body }) => {
  const data = body.input.map((text, index) => ({ index, embedding: [...ngramVector(text)] })).reverse();
  send(200, { object: "list", data, model: body.model })(response, { path: "", authorization: "", body });
};

/** Gives these numbers for the texts, in order. */
export const vectorsAnswer = (...embeddings: readonly unknown[]): Behaviour =>
  send(200, { data: embeddings.map((embedding, index) => ({ index, embedding })) });

export const hang: Behaviour = () => undefined;

export const closeInTheMiddle: Behaviour = (response) => {
  response.writeHead(200, { "content-length": "1000" });
  response.write('{"data":[{"index":0,', () => response.destroy());
};
