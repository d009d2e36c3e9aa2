/** Stands between replicas and a relay: records every frame, lets some pass, and cuts the line when told. */

import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import {
  decodeClientFrame,
  decodeRelayFrame,
  type EntryItem,
  encodeClientFrame,
  encodeItems,
  encodeRelayFrame,
  LOG_PROTOCOL,
  type LogClientFrame,
  type LogRelayFrame,
  pack,
  readEntries,
} from "@cambium/core/wire";
import WebSocket, { WebSocketServer } from "ws";
import { entryTools } from "../../src/platform/node-platform.js";

export type Direction = "to-relay" | "from-relay";
export type Frame = LogClientFrame | LogRelayFrame;

/** Says which frames go on; or gives what goes on in their place. */
export type FrameFilter = (direction: Direction, frame: Frame) => boolean | Frame;

/** What a frame carries, if it carries anything. */
export const itemsOf = (frame: Frame): readonly EntryItem[] =>
  "items" in frame ? readEntries(frame.items, entryTools).map(({ item }) => item) : [];

/** The frame, with something else in it. */
export const withItems = (frame: Frame, items: readonly EntryItem[]): Frame =>
  "items" in frame ? { ...frame, items: pack(encodeItems(items)) } : frame;

/** Called after each frame that any proxy has passed on or kept back. */
export const onFrame = new Set<() => void>();

export class RelayProxy implements AsyncDisposable {
  readonly frames: { readonly direction: Direction; readonly frame: Frame }[] = [];
  /** How often someone has tried to open a session. */
  upgrades = 0;
  filter: FrameFilter = () => true;
  /** Paths that the relay does not know, as one of an earlier version. */
  hides: RegExp | undefined;
  /** Methods that do not get through, such as DELETE. */
  stops: string | undefined;
  /** What everybody's sessions were opened with, in the order in which they came first. */
  readonly authorizations = new Set<string>();
  /** Another relay for some of them. */
  targetOf: (authorization: string) => string | undefined = () => undefined;
  readonly #target: string;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, handleProtocols: () => LOG_PROTOCOL });
  readonly #lines = new Set<WebSocket>();
  #isCut = false;

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((incoming, response) => this.#pass(incoming, response));
    this.#server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(incoming, socket, head),
    );
  }

  static async start(target: string): Promise<RelayProxy> {
    const proxy = new RelayProxy(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** From now on nobody gets through. */
  cut(): void {
    this.#isCut = true;
    for (const line of this.#lines) line.terminate();
  }

  restore(): void {
    this.#isCut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, headers } = incoming;
    if (this.#isCut || method === this.stops) {
      incoming.destroy();
      return;
    }
    const path = this.hides?.test(incoming.url ?? "") ? "/unknown" : incoming.url;
    const outgoing = request(`${this.#target}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  }

  #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.upgrades += 1;
    socket.on("error", () => socket.destroy()); // both ends may go at once
    if (this.#isCut) {
      socket.destroy();
      return;
    }
    const { authorization = "" } = incoming.headers;
    this.authorizations.add(authorization);
    const target = this.targetOf(authorization) ?? this.#target;
    const upstream = new WebSocket(`${target.replace("http", "ws")}${incoming.url}`, LOG_PROTOCOL, {
      headers: { authorization },
    });
    // What the relay says at once must not pass before somebody listens.
    const early: Buffer[] = [];
    const keep = (bytes: Buffer): void => void early.push(bytes);
    upstream.on("message", keep);
    upstream.on("error", () => socket.destroy());
    upstream.on("unexpected-response", (_request, { statusCode = 502 }) => {
      socket.end(`HTTP/1.1 ${statusCode} Refused\r\nConnection: close\r\n\r\n`);
    });
    upstream.on("open", () => {
      this.#sockets.handleUpgrade(incoming, socket, head, (client) => {
        upstream.off("message", keep);
        this.#join(client, upstream);
        for (const bytes of early) this.#forward("from-relay", bytes, client);
      });
    });
  }

  #join(client: WebSocket, upstream: WebSocket): void {
    for (const line of [client, upstream]) {
      this.#lines.add(line);
      line.on("error", () => line.terminate());
    }
    client.on("message", (bytes: Buffer) => this.#forward("to-relay", bytes, upstream));
    upstream.on("message", (bytes: Buffer) => this.#forward("from-relay", bytes, client));
    client.on("close", () => upstream.terminate());
    upstream.on("close", (code) => {
      if (code >= 1000 && code !== 1005 && code !== 1006) client.close(code);
      else client.terminate();
    });
  }

  #forward(direction: Direction, bytes: Buffer, to: WebSocket): void {
    const copy = new Uint8Array(bytes);
    const frame = direction === "to-relay" ? decodeClientFrame(copy) : decodeRelayFrame(copy);
    const passed = this.filter(direction, frame);
    setImmediate(() => {
      for (const look of onFrame) look();
    });
    if (passed === false || to.readyState !== WebSocket.OPEN) return;
    const sent = passed === true ? frame : passed;
    this.frames.push({ direction, frame: sent });
    to.send(passed === true ? bytes : encoded(direction, sent));
  }
}

const encoded = (direction: Direction, frame: Frame): Uint8Array =>
  direction === "to-relay"
    ? encodeClientFrame(frame as LogClientFrame)
    : encodeRelayFrame(frame as LogRelayFrame);
