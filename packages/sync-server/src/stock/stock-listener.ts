/**
 * Sessions of automerge-repo's protocol, from the upgrade to the end of their socket. A client that may not come in
 * is let in to be told so: a stock client throws at an answer of HTTP, which ends a process of Node.
 *
 * @module
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { limitUntilJoined } from "../limits/before-join.js";
import { type InFlight, watchArrivals } from "../limits/in-flight.js";
import type { Pace } from "../limits/pace.js";
import type { DocumentState } from "../log/space-log.js";
import type { CloseCode } from "../sessions/close-codes.js";
import { socketServer } from "../sessions/log-listener.js";
import { newPeerId, openSession } from "../sessions/open-session.js";
import { SessionHub } from "../sessions/session-hub.js";
import { allows, type Member } from "../tokens.js";
import { type EphemeralFrame, encodeFrame } from "./stock-frames.js";
import { StockSession, type StockSessionShared } from "./stock-session.js";
import { StockThreads, THREAD_LIMITS, type ThreadLimits } from "./stock-threads.js";

/** What a reader sends is short: which changes it has. */
const READER_BYTES = 1024 * 1024;
/** A stock client sends a document in one frame. */
const WRITER_BYTES = 64 * 1024 * 1024;
const TURNED_AWAY_BYTES = 4 * 1024;
/** Browsers send a long message in pieces. */
const MAX_FRAGMENTS = 16 * 1024;
/** How many may be told at a time why they cannot come in, and how long they have to hear it. */
const MOST_TURNED_AWAY = 200;
const TURNED_AWAY_MS = 2_000;

export interface StockListenerOptions extends Omit<StockSessionShared, "threads" | "inSpace"> {
  readonly random: (length: number) => Uint8Array;
  /** How fast tokens may send. */
  readonly pace: Pick<Pace, "of">;
  /** The longest frame of a client. Default: 64 MiB. */
  readonly maxPayloadBytes?: number | undefined;
  readonly bytesBeforeJoin: number;
  readonly inFlight: InFlight;
  readonly threadLimits?: Partial<ThreadLimits> | undefined;
}

export class StockListener {
  readonly hub = new SessionHub<StockSession>();
  readonly #options: StockListenerOptions;
  readonly #threads: StockThreads;
  readonly #readers: WebSocketServer;
  readonly #writers: WebSocketServer;
  readonly #turnedAway = stockSockets(TURNED_AWAY_BYTES);

  constructor(options: StockListenerOptions) {
    this.#options = options;
    this.#threads = new StockThreads({ ...THREAD_LIMITS, ...options.threadLimits });
    const { maxPayloadBytes = WRITER_BYTES } = options;
    this.#writers = stockSockets(maxPayloadBytes);
    this.#readers = stockSockets(Math.min(maxPayloadBytes, READER_BYTES));
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, member: Member): void {
    const sockets = allows(member.role, "write") ? this.#writers : this.#readers;
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      watchArrivals(socket, accepted, this.#options.inFlight.of(member.space));
      const session = this.#begin(accepted, member);
      limitUntilJoined(socket, session, this.#options.bytesBeforeJoin);
    });
  }

  /** Tells a client why it cannot come in. @returns false when too many are being told */
  turnAway(request: IncomingMessage, socket: Duplex, head: Buffer, { code, reason }: CloseCode): boolean {
    if (this.#turnedAway.clients.size >= MOST_TURNED_AWAY) return false;
    this.#turnedAway.handleUpgrade(request, socket, head, (accepted) => {
      accepted.on("error", () => {});
      accepted.send(encodeFrame({ type: "error", senderId: "relay", targetId: "", message: reason }));
      accepted.close(code, reason);
      setTimeout(() => accepted.terminate(), TURNED_AWAY_MS).unref();
    });
    return true;
  }

  /** The log of a space has new entries, whoever wrote them. */
  appended(space: string, documents: readonly DocumentState[]): void {
    for (const session of this.hub.inSpace(space)) session.appended(documents);
  }

  /** A client at another relay has said this. */
  hear(space: string, message: object): void {
    for (const session of this.hub.inSpace(space)) session.hear(message as EphemeralFrame);
  }

  /** Lets go of the documents of sessions that have been idle for so long. */
  stopIdle(idleMs: number): void {
    const { now, onEvent } = this.#options;
    let documents = 0;
    for (const session of this.hub.all()) {
      const { loaded } = session;
      if (session.usedAt <= now() - idleMs && this.#threads.stop(session)) documents += loaded;
    }
    if (documents > 0) onEvent({ level: "debug", type: "evicted", documents });
  }

  /** Nobody is told any more why it cannot come in. */
  close(): void {
    for (const socket of this.#turnedAway.clients) socket.terminate();
  }

  #begin(socket: WebSocket, member: Member): StockSession {
    const { random, onEvent, pace, inFlight } = this.#options;
    const inSpace = (space: string): Iterable<StockSession> => this.hub.inSpace(space);
    const session = new StockSession(newPeerId(random), member, {
      ...this.#options,
      ...{ threads: this.#threads, inSpace },
    });
    openSession(socket, session, { hub: this.hub, pace, inFlight, onEvent });
    return session;
  }
}

const stockSockets = (maxPayload: number): WebSocketServer =>
  socketServer({ maxPayload, maxFragments: MAX_FRAGMENTS });
