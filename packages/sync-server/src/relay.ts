/**
 * The relay, put together: an HTTP server, a sync socket, one loop, one log.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { CambiumError } from "@cambium/core";
import { type WebSocket, WebSocketServer } from "ws";
import { Channel } from "./channel.js";
import { Committer } from "./committer.js";
import { DocumentSet } from "./documents.js";
import type { OnEvent } from "./events.js";
import { httpApi } from "./http-api.js";
import type { RelayLog } from "./log/relay-log.js";
import { openSqliteLog } from "./log/sqlite-log.js";
import { CLOSE_CODES, Session } from "./session.js";
import { SessionHub } from "./session-hub.js";
import { type StopTimer, systemTimers, type Timers } from "./timers.js";
import { type Member, Tokens } from "./tokens.js";
import { admit, refuseUpgrade } from "./upgrade.js";

const DEFAULT_MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;
/** Long, because Automerge needs some 3 ms more for a change to a part of a document not touched since loading. */
const DEFAULT_IDLE_DOCUMENT_MS = 300_000;
const HEARTBEAT_MS = 30_000;
/** How long a client may take to answer the closing of its session when the relay stops. */
const CLOSE_GRACE_MS = 1_000;

/** Where a relay keeps what it is sent, and where it listens. */
export interface RelayOptions {
  /** Where the embedded log lives. Either this or `log`. */
  readonly dataDir?: string;
  /** A log of your own; it is closed with the relay. */
  readonly log?: RelayLog;
  /** Default: `127.0.0.1`, so that only this machine reaches it. */
  readonly host?: string;
  /** Default: 0, any free one. */
  readonly port?: number;
  /** The relay's admin token from now on; without it, one is made at the first run. */
  readonly adminToken?: string;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
  /** Returns cryptographically strong random bytes. Default: Node's `randomBytes`. */
  readonly random?: (length: number) => Uint8Array;
  /** For heartbeats and for letting idle documents go. Default: `systemTimers`. */
  readonly timers?: Timers;
  /** The longest frame a client may send. A longer one ends its session. Default: 64 MiB. */
  readonly maxPayloadBytes?: number;
  /** How long a document stays in memory after its last use. Default: 300,000, five minutes. */
  readonly idleDocumentMs?: number;
  /** Takes the relay's log. Default: nothing is logged. */
  readonly onEvent?: OnEvent;
}

/** A relay that listens. */
export interface Relay extends AsyncDisposable {
  /** `http://…`; clients sync at `ws://…/sync`. */
  readonly url: string;
  /** The port it listens on, also if any free one was asked for. */
  readonly port: number;
  /** New at each start; receipts and positions of another generation are void. */
  readonly generation: string;
  /** Only on the run that made it. */
  readonly adminToken?: string;
  /** Finishes what has arrived, ends all sessions, frees the port. More than once is as once. */
  close(): Promise<void>;
}

/**
 * Starts a relay.
 *
 * @throws {CambiumError} STORE_FAILED or STORE_DAMAGED when the log cannot be opened, BAD_INPUT when the
 *   address cannot be used
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { clock: now = Date.now, random = randomBytes } = options;
  const log = openLog(options);
  try {
    const tokens = new Tokens({ log, now, random });
    const adminToken = await tokens.prepareRelayAdmin(options.adminToken);
    const generation = Buffer.from(random(16)).toString("hex");
    const parts = { log, tokens, generation, now, random, lastSeq: await log.lastSeq() };
    const relay = new RunningRelay(options, parts, adminToken);
    await relay.listen();
    return relay;
  } catch (error) {
    await log.close();
    throw error;
  }
}

function openLog({ log, dataDir }: RelayOptions): RelayLog {
  if (log !== undefined) return log;
  if (dataDir !== undefined) return openSqliteLog(dataDir);
  throw new CambiumError("BAD_INPUT", "A relay needs a directory for its data, or a log.");
}

interface RelayParts {
  readonly log: RelayLog;
  readonly tokens: Tokens;
  readonly generation: string;
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  readonly lastSeq: number;
}

class RunningRelay implements Relay {
  readonly generation: string;
  readonly adminToken?: string;
  readonly #options: RelayOptions;
  readonly #parts: RelayParts;
  readonly #hub = new SessionHub();
  readonly #documents: DocumentSet;
  readonly #committer: Committer;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #onEvent: OnEvent;
  #url = "";
  #stopTimers: StopTimer[] = [];
  #closing: Promise<void> | undefined;

  constructor(options: RelayOptions, parts: RelayParts, adminToken: string | undefined) {
    this.#options = options;
    this.#parts = parts;
    this.generation = parts.generation;
    if (adminToken !== undefined) this.adminToken = adminToken;
    this.#onEvent = options.onEvent ?? (() => {});
    const { log, tokens, generation, now, lastSeq } = parts;
    const onEvent = this.#onEvent;
    const hub = this.#hub;
    this.#documents = new DocumentSet({ log, now, onEvent });
    this.#committer = new Committer({ log, documents: this.#documents, hub, generation, lastSeq, onEvent });
    const isClosing = (): boolean => this.#closing !== undefined;
    const committer = this.#committer;
    this.#server = createServer(
      httpApi({ tokens, hub, log, committer, generation, now, isClosing, onEvent }),
    );
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: options.maxPayloadBytes ?? DEFAULT_MAX_PAYLOAD_BYTES,
      perMessageDeflate: false,
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return this.#url;
  }

  async listen(): Promise<void> {
    const { host = "127.0.0.1", port = 0, timers = systemTimers } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", (cause) => {
        reject(new CambiumError("BAD_INPUT", `The relay cannot listen on ${host} port ${port}.`, { cause }));
      });
      this.#server.listen(port, host, resolve);
    });
    this.#url = `http://${host.includes(":") ? `[${host}]` : host}:${this.port}`;
    this.#server.on("error", (error) => this.#onEvent({ level: "error", type: "failed", error }));
    this.#server.on("upgrade", (request, socket, head) => {
      // Node has let go of this socket: a reset before it is a session would end the process.
      socket.on("error", () => {});
      this.#upgrade(request, socket, head).catch((error: unknown) => {
        this.#onEvent({ level: "error", type: "failed", error });
        refuseUpgrade(socket, 503);
      });
    });
    const idleMs = this.#options.idleDocumentMs ?? DEFAULT_IDLE_DOCUMENT_MS;
    this.#stopTimers = [
      timers.every(HEARTBEAT_MS, () => this.#heartbeat()),
      timers.every(Math.max(idleMs / 2, 1_000), () => void this.#evict(idleMs)),
    ];
    this.#onEvent({ level: "info", type: "started", url: this.url, generation: this.generation });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #upgrade(request: Parameters<typeof admit>[0], socket: Duplex, head: Buffer): Promise<void> {
    const admission = await admit(request, this.#parts.tokens);
    if (this.#closing !== undefined) return refuseUpgrade(socket, 503);
    if (admission.kind === "refused") return refuseUpgrade(socket, admission.status);
    this.#sockets.handleUpgrade(request, socket, head, (accepted) => this.#admit(accepted, admission.member));
  }

  #admit(socket: WebSocket, member: Member): void {
    const { generation, now, random } = this.#parts;
    const session = new Session({
      peerId: `relay-${Buffer.from(random(12)).toString("hex")}`,
      member,
      generation,
      now,
      submit: (from, frame, sizeBytes) => this.#committer.submit(from, frame, sizeBytes),
    });
    const { peerId } = session;
    session.attach(
      new Channel(socket, {
        frame: (bytes) => session.receive(bytes),
        malformed: () => session.end(CLOSE_CODES.protocol),
        drained: () => this.#committer.flush(session),
        closed: (code) => {
          this.#hub.remove(session);
          void this.#committer.run(async () => session.release());
          this.#onEvent({ level: "info", type: "session-closed", peerId, code });
        },
      }),
    );
    this.#hub.add(session);
    const { space, role } = member;
    this.#onEvent({ level: "info", type: "session-opened", peerId, space, role });
  }

  /** Ends sessions that are dead, that never joined, or whose token no longer stands. */
  #heartbeat(): void {
    for (const session of this.#hub.all()) {
      session.heartbeat();
      void this.#checkToken(session);
    }
  }

  async #checkToken(session: Session): Promise<void> {
    try {
      if (!(await this.#parts.tokens.isStanding(session.member))) session.end(CLOSE_CODES.token);
    } catch (error) {
      this.#onEvent({ level: "error", type: "failed", error });
    }
  }

  async #evict(idleMs: number): Promise<void> {
    try {
      const documents = await this.#committer.run(() => this.#documents.evictIdle(idleMs));
      if (documents > 0) this.#onEvent({ level: "debug", type: "evicted", documents });
    } catch (error) {
      this.#onEvent({ level: "error", type: "failed", error });
    }
  }

  async #close(): Promise<void> {
    for (const stop of this.#stopTimers) stop();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await this.#committer.settled();
    for (const session of this.#hub.all()) session.end(CLOSE_CODES.shutdown);
    const closingTimer = setTimeout(() => {
      for (const session of this.#hub.all()) session.terminate();
      this.#server.closeAllConnections();
    }, CLOSE_GRACE_MS);
    this.#server.closeIdleConnections();
    await Promise.all([closed, this.#hub.emptied()]);
    clearTimeout(closingTimer);
    await this.#committer.settled();
    await this.#documents.settled();
    this.#documents.clear();
    await this.#parts.log.close();
    this.#onEvent({ level: "info", type: "stopped" });
  }
}
