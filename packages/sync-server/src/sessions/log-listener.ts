/**
 * Sessions of the log protocol, from the upgrade to the end of their socket.
 *
 * @module
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { LOG_LIMITS, LOG_PROTOCOL, type LogRelayFrame } from "@cambium/core/wire";
import { type ServerOptions, type WebSocket, WebSocketServer } from "ws";
import type { OnEvent } from "../events.js";
import { type InFlight, watchArrivals } from "../limits/in-flight.js";
import type { Pace } from "../limits/pace.js";
import type { DocumentState, SpaceLog } from "../log/space-log.js";
import { allows, type Member } from "../tokens.js";
import { Appender, type AppenderOptions } from "./appender.js";
import type { QuotaRefusal } from "./batch-reader.js";
import type { Broadcast } from "./broadcasts.js";
import { LogSession } from "./log-session.js";
import { newPeerId, openSession } from "./open-session.js";
import { passOn, wakeSome } from "./pass-on.js";
import { SessionHub } from "./session-hub.js";
import { Slots } from "./slots.js";
import { type AnyAppender, SpaceAppenders } from "./space-appenders.js";
import { SpaceFeed, type Stretch } from "./space-feed.js";
import { Turns } from "./turns.js";

/** Answers that wait for a database server at a time. */
const STEPS_AT_DATABASE = 8;
const REQUESTS_AT_DATABASE = 2;
/** Beside the largest frame's contents. */
const FRAME_ROOM_BYTES = 64;
/** Each takes some hundred bytes of memory, whatever is in it. Clients send frames in one piece. */
const MAX_FRAGMENTS = 64;
/** A client whose session has ended may go on sending so long. */
const CLOSE_TIMEOUT_MS = 5_000;

export interface LogListenerOptions {
  readonly log: SpaceLog;
  /** Writes something durably, to learn whether that works. */
  readonly probe: () => Promise<void>;
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  readonly onEvent: OnEvent;
  /** A sentence, if a space may not store so many bytes more in a document. */
  readonly quotaRefusal: QuotaRefusal;
  /** How fast tokens may send. */
  readonly pace: Pick<Pace, "of">;
  readonly inFlight: InFlight;
  /** To the sessions of a space at other relays. */
  readonly broadcast: (space: string, words: Broadcast) => void;
  /** Called after each commit, for each space that has new entries. */
  readonly onAppended: (space: string, documents: readonly DocumentState[]) => void;
}

/** Whether an upgrade asks for the log protocol. */
export function asksForLog(request: IncomingMessage): boolean {
  const offered = request.headers["sec-websocket-protocol"] ?? "";
  return offered.split(",").some((name) => name.trim() === LOG_PROTOCOL);
}

export class LogListener {
  readonly hub = new SessionHub<LogSession>();
  readonly appender: AnyAppender;
  /** Of everything beside storing. */
  readonly turns: Turns;
  /** Of what requests do for spaces: at a database, some wait for its locks, and nobody else for them. */
  readonly requestTurns: Turns;
  readonly #options: LogListenerOptions;
  readonly #feed: SpaceFeed;
  readonly #slots = new Slots();
  /** A reader's frames are small: nobody who may not write gets memory for more. */
  readonly #readers = logSockets(LOG_LIMITS.controlBytes);
  readonly #writers = logSockets(LOG_LIMITS.batchBytes);

  constructor(options: LogListenerOptions) {
    this.#options = options;
    const { log, probe, onEvent } = options;
    this.#feed = new SpaceFeed(log);
    const hasOneLane = log.lanes === undefined;
    this.turns = new Turns(
      undefined,
      hasOneLane ? 1 : STEPS_AT_DATABASE,
      hasOneLane ? () => this.appender.isDue : undefined,
    );
    this.requestTurns = hasOneLane ? this.turns : new Turns(undefined, REQUESTS_AT_DATABASE);
    const onAppended: AppenderOptions["onAppended"] = (space, documents, added) => {
      this.turns.note(space);
      this.moved(space, added);
      options.onAppended(space, documents);
    };
    const make = (): Appender => new Appender({ log, probe, onEvent, onAppended });
    this.appender = hasOneLane ? make() : new SpaceAppenders(make);
  }

  /** The log of a space has new entries, whoever added them; with these, if they are all and at hand. */
  moved(space: string, added?: Stretch): void {
    this.#feed.moved(space, added);
    this.#wake([...this.hub.inSpace(space)]);
  }

  /** Some at once, the others in turns with everybody else. */
  #wake(sessions: readonly LogSession[]): void {
    const rest = wakeSome(sessions);
    const [next] = rest;
    if (next !== undefined) this.turns.add(next.member.space, rest, async () => this.#wake(rest));
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, member: Member): void {
    const sockets = allows(member.role, "write") ? this.#writers : this.#readers;
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      watchArrivals(socket, accepted, this.#options.inFlight.of(member.space));
      this.#begin(accepted, socket, member);
    });
  }

  /** Another relay has written to the log of a space, up to here. */
  see(space: string, position: number): void {
    this.#feed.see(space, position);
    this.#wake([...this.hub.inSpace(space)]);
  }

  /** Somebody has said this at another relay. */
  hear(space: string, words: Exclude<Broadcast, { readonly kind: "stock" }>): void {
    if (words.kind === "slot") this.#slots.put(space, words.tokenId, words.slot);
    const hearers = [...this.hub.inSpace(space)];
    if (hearers.length === 0) return;
    const frame: LogRelayFrame =
      words.kind === "slot"
        ? { type: "slots", slots: [words.slot] }
        : { type: "ephemeral", bytes: words.bytes };
    const steps = passOn(hearers, frame);
    const step = async (): Promise<void> => {
      if (!(await steps.next()).done) this.turns.add(space, steps, step);
    };
    this.turns.add(space, steps, step);
  }

  /** The space was deleted, or is not the one that it was. */
  forget(space: string): void {
    this.#feed.forget(space);
    this.#slots.forget(space);
  }

  #begin(socket: WebSocket, raw: Duplex, member: Member): void {
    const { log, now, random, onEvent, quotaRefusal, broadcast, pace, inFlight } = this.#options;
    const session = new LogSession(newPeerId(random), member, {
      ...{ log, now, quotaRefusal, broadcast, appender: this.appender, feed: this.#feed, slots: this.#slots },
      turns: this.turns,
      inSpace: (space) => this.hub.inSpace(space),
      onError: (error) => onEvent({ level: "error", type: "failed", error }),
    });
    openSession(socket, session, { hub: this.hub, pace, inFlight, onEvent, raw });
  }
}

/** The types of `ws` do not know it yet. */
const closeTimeout: object = { closeTimeout: CLOSE_TIMEOUT_MS };

export const socketServer = (options: ServerOptions): WebSocketServer =>
  new WebSocketServer({
    ...closeTimeout,
    noServer: true,
    perMessageDeflate: false,
    autoPong: false,
    ...options,
  });

const logSockets = (bytes: number): WebSocketServer =>
  socketServer({
    maxPayload: bytes + FRAME_ROOM_BYTES,
    maxFragments: MAX_FRAGMENTS,
    handleProtocols: () => LOG_PROTOCOL,
  });
