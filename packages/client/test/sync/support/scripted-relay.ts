/**
 * A WebSocket server that does what the test says, on a real socket: the other side of everything that a relay,
 * or something that pretends to be one, may do.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  decodeClientFrame,
  encodeRelayFrame,
  LOG_PROTOCOL,
  type LogClientFrame,
  type LogRelayFrame,
  type WelcomeFrame,
} from "@cambium/core/wire";
import { type WebSocket, WebSocketServer } from "ws";
import { Inbox } from "./inbox.js";

export const SPACE = "0198c2a4-7d3e-7c51-9f00-3c5e8a1b2d4f";

export interface ScriptedRelayOptions {
  /** The HTTP status of the answer to an upgrade; 101 unless said. */
  readonly answer?: (request: IncomingMessage) => number;
  /** Whether pings are answered. */
  readonly autoPong?: boolean;
  readonly port?: number;
  /** What it calls the protocol that it speaks. */
  readonly protocol?: string;
}

const WELCOME: WelcomeFrame = { type: "welcome", space: SPACE, role: "write", time: 1, limits: {} };

export class ScriptedSession {
  readonly frames = new Inbox<LogClientFrame>();
  readonly ended: Promise<number>;
  readonly request: IncomingMessage;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket, request: IncomingMessage) {
    this.#socket = socket;
    this.request = request;
    this.ended = new Promise((resolve) => socket.on("close", resolve));
    socket.on("error", () => {});
    socket.on("message", (data) => this.frames.put(decodeClientFrame(new Uint8Array(data as Buffer))));
  }

  send(frame: LogRelayFrame): void {
    this.sendBytes(encodeRelayFrame(frame));
  }

  sendBytes(bytes: Uint8Array): void {
    this.#socket.send(bytes);
  }

  sendText(text: string): void {
    this.#socket.send(text);
  }

  welcome(welcome: Partial<WelcomeFrame> = {}): void {
    this.send({ ...WELCOME, ...welcome });
  }

  close(code: number): void {
    this.#socket.close(code);
  }

  terminate(): void {
    this.#socket.terminate();
  }
}

export class ScriptedRelay implements AsyncDisposable {
  readonly sessions = new Inbox<ScriptedSession>();
  upgrades = 0;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;

  static async start(options: ScriptedRelayOptions = {}): Promise<ScriptedRelay> {
    const relay = new ScriptedRelay(options);
    relay.#server.listen(options.port ?? 0, "127.0.0.1");
    await once(relay.#server, "listening");
    return relay;
  }

  private constructor({
    answer = () => 101,
    autoPong = true,
    protocol = LOG_PROTOCOL,
  }: ScriptedRelayOptions) {
    this.#server = createServer((_request, response) => response.writeHead(404).end());
    this.#sockets = new WebSocketServer({ noServer: true, autoPong, handleProtocols: () => protocol });
    this.#server.on("upgrade", (request, socket, head) => {
      this.upgrades += 1;
      const status = answer(request);
      if (status === 101) {
        this.#sockets.handleUpgrade(request, socket, head, (webSocket) =>
          this.sessions.put(new ScriptedSession(webSocket, request)),
        );
      } else {
        socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
      }
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The next session, welcomed. */
  async nextSession(): Promise<ScriptedSession> {
    const session = await this.sessions.next();
    session.welcome();
    return session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
