/**
 * Web sockets over the simulated network, in the place of the package `ws`.
 *
 * @module
 */
import { EventEmitter } from "node:events";
import { registerHooks } from "node:module";
import { currentWorld } from "./current-world.ts";
import type { Connection, ConnectionSide, WireMessage } from "./network.ts";
import type { World } from "./world.ts";

const CONNECTING = 0;
const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;
const ABNORMAL = 1006;
const PROTOCOL = "sec-websocket-protocol";

export function installWebSockets(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "ws" ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
  });
}

function requireWorld(): World {
  const world = currentWorld();
  if (world === undefined) throw new Error("Sockets are simulated, and there is no simulation.");
  return world;
}

export interface SocketOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

/** As much of a socket of `ws` as is used, on either side. */
class WebSocket extends EventEmitter {
  static readonly CONNECTING = CONNECTING;
  static readonly OPEN = OPEN;
  static readonly CLOSING = CLOSING;
  static readonly CLOSED = CLOSED;
  readonly OPEN = OPEN;
  readyState = CONNECTING;
  bufferedAmount = 0;
  readonly #world = requireWorld();
  #connection: Connection | undefined;
  #own: ConnectionSide | undefined;
  #other: ConnectionSide | undefined;
  #closeCode = ABNORMAL;

  /** @param url - undefined for the socket of a server */
  constructor(url: string | undefined, protocol = "", { headers: own = {} }: SocketOptions = {}) {
    super();
    if (url === undefined) return;
    const { port, pathname, search } = new URL(url);
    const headers = { ...own, [PROTOCOL]: protocol };
    const request = { method: "GET", path: pathname + search, headers, body: undefined, isUpgrade: true };
    this.#world.network.connect(Number(port), {
      opened: (connection) => {
        if (this.readyState === CLOSED) connection.break();
        else {
          this.#attach(connection, connection.client, connection.server);
          connection.send(connection.server, { kind: "request", request });
        }
      },
      failed: () => {
        if (this.readyState === CLOSED) return;
        this.emit("error", new Error("connect ECONNREFUSED"));
        this.#ended();
      },
    });
  }

  /** The server's side of a connection that was upgraded. */
  static accepted(connection: Connection): WebSocket {
    const socket = new WebSocket(undefined);
    socket.#attach(connection, connection.server, connection.client);
    socket.readyState = OPEN;
    return socket;
  }

  #attach(connection: Connection, own: ConnectionSide, other: ConnectionSide): void {
    this.#connection = connection;
    this.#own = own;
    this.#other = other;
    own.receiver = { receive: (message) => this.#received(message), broken: () => this.#ended() };
  }

  #received(message: WireMessage): void {
    if (this.readyState === CLOSED) return;
    switch (message.kind) {
      case "data":
        this.emit("message", Buffer.from(message.bytes), true);
        return;
      case "ping":
        this.emit("ping", Buffer.alloc(0));
        this.#send({ kind: "pong" });
        return;
      case "pong":
        this.emit("pong");
        return;
      case "close":
        this.#closeCode = message.code;
        if (this.readyState === OPEN) this.#send({ kind: "close", code: message.code });
        this.#ended();
        return;
      case "response":
        this.#answered(message.response);
        return;
      case "request":
        throw new Error("A socket was asked as if it were a server.");
    }
  }

  #answered({ status, headers }: Extract<WireMessage, { kind: "response" }>["response"]): void {
    if (status === 101) {
      this.emit("upgrade", { headers });
      this.readyState = OPEN;
      this.emit("open");
    } else {
      this.emit("unexpected-response", {}, { statusCode: status, resume: () => {} });
    }
  }

  #ended(): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.emit("close", this.#closeCode, Buffer.alloc(0));
  }

  #send(message: WireMessage, left: () => void = () => {}): void {
    const other = this.#other;
    if (other !== undefined) this.#connection?.send(other, message, left);
  }

  send(bytes: Uint8Array, sent: (error?: Error) => void = () => {}): void {
    if (this.readyState !== OPEN) {
      this.#world.scheduleSoon(this.#world.current, () => sent(new Error("The socket is not open.")));
      return;
    }
    this.bufferedAmount += bytes.length;
    this.#send({ kind: "data", bytes: bytes.slice() }, () => {
      this.bufferedAmount -= bytes.length;
      sent();
    });
  }

  ping(): void {
    this.#send({ kind: "ping" });
  }

  /** Every ping was answered when it came. */
  pong(_data: unknown, _mask: boolean, sent: () => void = () => {}): void {
    this.#world.scheduleSoon(this.#world.current, sent);
  }

  close(code = 1005): void {
    if (this.readyState === CLOSING || this.readyState === CLOSED) return;
    this.readyState = CLOSING;
    this.#send({ kind: "close", code });
  }

  terminate(): void {
    if (this.readyState === CLOSED) return;
    const connection = this.#connection;
    if (connection !== undefined) connection.break();
    this.#world.scheduleSoon(this.#world.current, () => this.#ended());
  }

  get isPaused(): boolean {
    return this.#own?.isPaused ?? false;
  }

  pause(): void {
    if (this.#own !== undefined) this.#own.isPaused = true;
  }

  resume(): void {
    const own = this.#own;
    if (own === undefined) return;
    own.isPaused = false;
    const next = own.waiting.shift();
    if (next === undefined) return;
    this.#world.schedule(own.process, 0, () => {
      next();
      if (!own.isPaused) this.resume();
    });
  }
}

/** What a server hands over in the place of a socket of the system. */
export interface UpgradingSocket extends EventEmitter {
  readonly connection: Connection;
}

interface ServerOptions {
  readonly handleProtocols?: () => string;
}

export class WebSocketServer extends EventEmitter {
  readonly #protocol: string;

  constructor({ handleProtocols }: ServerOptions = {}) {
    super();
    this.#protocol = handleProtocols?.() ?? "";
  }

  handleUpgrade(
    _request: unknown,
    raw: UpgradingSocket,
    _head: unknown,
    accepted: (socket: WebSocket) => void,
  ): void {
    const { connection } = raw;
    if (connection.isBroken) return;
    const response = { status: 101, headers: { [PROTOCOL]: this.#protocol }, body: new Uint8Array() };
    connection.send(connection.client, { kind: "response", response });
    const socket = WebSocket.accepted(connection);
    socket.once("close", () => raw.emit("close"));
    Object.assign(raw, belowSocket(socket));
    accepted(socket);
  }
}

/** What a server writes messages to that it has put together itself. What is corked leaves in one piece: nobody could tell. */
function belowSocket(socket: WebSocket): object {
  let unread = Buffer.alloc(0);
  const write = (bytes: Uint8Array, written?: () => void): void => {
    unread = Buffer.concat([unread, bytes]);
    const frames: Uint8Array[] = [];
    for (let next = firstFrame(unread); next !== undefined; next = firstFrame(unread)) {
      frames.push(next.frame);
      unread = unread.subarray(next.end);
    }
    for (const [at, frame] of frames.entries())
      socket.send(frame, at === frames.length - 1 ? written : undefined);
  };
  return { write, cork: () => {}, uncork: () => {} };
}

/** Of what a server has written, if it is there as a whole. */
function firstFrame(bytes: Buffer): { readonly frame: Uint8Array; readonly end: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes[1] as number;
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < start) return undefined;
  const length =
    short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const end = start + length;
  return end > bytes.length ? undefined : { frame: bytes.subarray(start, end), end };
}

export default WebSocket;
