/** A double of the daemon that loses connections at whatever stage a test wants, and counts what it has done. */

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DaemonConnection,
  type DaemonConnectionOptions,
} from "../../../src/daemon-client/daemon-connection.js";
import { daemonPlace } from "../../../src/daemon-client/daemon-place.js";
import type { Starter } from "../../../src/daemon-client/daemon-starter.js";

export type Mood =
  | "answers"
  | "drops at once"
  | "drops after reading"
  | "drops after doing"
  | "drops within the head"
  | "drops within the body"
  | "drops within the events"
  | "answers no JSON"
  | "is stopping"
  | "is older"
  | "works for long, and drops"
  | "keeps silent";

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Longer than anybody waits for one that is out of reach. */
const LONG_MS = 40_000;

export class MoodyDaemon implements AsyncDisposable {
  readonly home: string;
  readonly seen: Seen[] = [];
  /** By key: a call that comes again is done once. */
  readonly done = new Set<string>();
  /** One for each connection or request to come; then it answers. */
  moods: Mood[] = [];
  starts = 0;
  /** What the injected clock shows. */
  nowMs = 1_000_000;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  private constructor(home: string) {
    this.home = home;
  }

  static async make(): Promise<MoodyDaemon> {
    return new MoodyDaemon(await mkdtemp(join(tmpdir(), "cambium-moody-")));
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      if (this.moods[0] === "drops at once") {
        this.moods.shift();
        socket.destroy();
      }
    });
    this.#server = server;
    server.listen(daemonPlace(this.home).socket);
    await once(server, "listening");
  }

  async end(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Waits by moving the clock. */
  connection(options: Partial<DaemonConnectionOptions> = {}): DaemonConnection {
    const starter: Starter = {
      start: () => {
        this.starts += 1;
        if (this.#server === undefined) void this.listen();
      },
      takeFailure: () => undefined,
      settle: () => undefined,
    };
    const pause = async (ms: number): Promise<void> => {
      this.nowMs += ms;
      await new Promise((resolve) => setImmediate(resolve));
    };
    return new DaemonConnection({
      ...{ home: this.home, version: "1.2.3", env: {}, starter, pause, now: () => this.nowMs },
      ...options,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    await rm(this.home, { recursive: true, force: true });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const mood = this.moods.shift() ?? "answers";
    let body = "";
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString("utf8");
    const { method = "", url = "", headers } = request;
    this.seen.push({ method, url, headers, body });
    if (mood === "drops after reading") return void request.socket.destroy();
    if (mood === "keeps silent") return;
    if (mood === "works for long, and drops") {
      this.nowMs += LONG_MS;
      return void request.socket.destroy();
    }
    if (mood === "is stopping") return fail(response, 503, "DAEMON_STOPPING");
    if (mood === "is older") return fail(response, 409, "DAEMON_OLDER");
    this.done.add(String(headers["idempotency-key"] ?? `read ${this.seen.length}`));
    if (mood === "drops after doing") return void request.socket.destroy();
    if (mood === "answers no JSON") return void response.end("<html>");
    const answer = JSON.stringify({ memories: [], echo: body });
    if (mood === "drops within the events" || headers.accept === "text/event-stream")
      return this.#events(response, answer, mood);
    if (mood === "drops within the head") return void request.socket.end("HTTP/1.1 200 O");
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(answer),
    });
    if (mood !== "drops within the body") return void response.end(answer);
    response.write(answer.slice(0, 5), () => request.socket.destroy());
  }

  #events(response: ServerResponse, answer: string, mood: Mood): void {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.write(`:\n\nevent: progress\ndata: {"stage":"read","done":1,"total":2}\n\n`);
    if (mood === "drops within the events") response.write("event: res", () => response.socket?.destroy());
    else response.end(`event: result\ndata: ${answer}\n\n`);
  }
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify({ error: { code, message: "Not now.", hint: "Later." } }));
}
