/**
 * One client's socket: frames out with a bound on what waits, frames in with a bound on what is in work,
 * and a sign of life.
 *
 * @module
 */
import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import type { Flight } from "../limits/in-flight.js";
import type { TokenPace } from "../limits/pace.js";
import { messagesOf, piecesOf } from "./messages.js";

/** More than this unsent, and nothing new is made for the client until it has read. */
const MAX_UNSENT_BYTES = 256 * 1024;
/** The same where the space of the client has too much under way. */
const MAX_TIGHT_BYTES = 64 * 1024;
/** More than this unprocessed, and nothing more is read from the client. */
const MAX_UNPROCESSED_BYTES = 8 * 1024 * 1024;
const MAX_UNPROCESSED_FRAMES = 64;

/** So much of what leaves together is copied into one piece. Of more, copies for hundreds of clients are garbage. */
const MAX_COPIED_BYTES = 8 * 1024;

/** A socket that is not read does not hear that its client is gone: so often it is written to, and hears it then. */
const SOUND_MS = 1_000;

/** Shorter than the time within which a sign of life is due. */
const LONGEST_HOLD_MS = 10_000;

export interface ChannelListener {
  frame(bytes: Uint8Array): void;
  /** The client sent what no client of this protocol sends. */
  malformed(): void;
  /** What was unsent is sent; more may follow. */
  drained(): void;
  closed(code: number): void;
}

export interface ChannelLimits {
  /** How fast the client may send. */
  readonly pace?: TokenPace;
  /** Where what is under way is counted. */
  readonly flight?: Flight;
  /** What is below the WebSocket: the frames of one moment are written to it in one piece. */
  readonly raw?: Duplex;
}

const NO_PACE: TokenPace = { spend: () => 0, resume: () => 0 };
const NO_FLIGHT: Flight = { add: () => {}, isTight: false };

export class Channel {
  readonly #socket: WebSocket;
  readonly #listener: ChannelListener;
  readonly #flight: Flight;
  /** Of this socket. */
  #countedBytes = 0;
  #unprocessedBytes = 0;
  #unprocessedFrames = 0;
  #isAlive = true;
  #wasFull = false;
  #isHeld = false;
  #isBehind = false;
  #sounding: NodeJS.Timeout | undefined;
  readonly #pace: TokenPace;
  readonly #raw: Duplex | undefined;
  /** Of this moment. */
  #leaving: Uint8Array[] = [];
  #leavingBytes = 0;

  constructor(
    socket: WebSocket,
    listener: ChannelListener,
    { pace = NO_PACE, flight = NO_FLIGHT, raw }: ChannelLimits = {},
  ) {
    this.#socket = socket;
    this.#pace = pace;
    this.#listener = listener;
    this.#flight = flight;
    this.#raw = raw;
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    socket.on("pong", () => {
      this.#isAlive = true;
    });
    socket.on("ping", (data) => this.#answerPing(data));
    socket.on("close", (code) => {
      this.#flight.add(-this.#countedBytes);
      this.#countedBytes = 0;
      listener.closed(code);
    });
    // `close` follows, with the code that says why.
    socket.on("error", () => {});
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Whether the client reads too slowly to be sent more. */
  get isFull(): boolean {
    const mostBytes = this.#flight.isTight ? MAX_TIGHT_BYTES : MAX_UNSENT_BYTES;
    const isFull = this.#socket.bufferedAmount + this.#leavingBytes > mostBytes;
    if (isFull) this.#wasFull = true;
    return isFull;
  }

  /** Whether there is no room for more of what the client sends: its space has too much under way. */
  get isBusy(): boolean {
    return this.#unprocessedBytes > MAX_TIGHT_BYTES && this.#flight.isTight;
  }

  send(frame: Uint8Array): void {
    if (!this.isOpen) return;
    this.#count(frame.length);
    if (this.#raw === undefined) {
      this.#socket.send(frame, () => this.#sent(frame.length));
    } else {
      if (this.#leaving.length === 0) process.nextTick(() => this.#leave());
      this.#leaving.push(frame);
      this.#leavingBytes += frame.length;
    }
    this.#regulate();
  }

  #leave(): void {
    const [raw, frames, bytes] = [this.#raw, this.#leaving, this.#leavingBytes];
    if (raw === undefined || frames.length === 0) return;
    this.#leaving = [];
    this.#leavingBytes = 0;
    if (!this.isOpen) return;
    const sent = (): void => this.#sent(bytes);
    if (bytes <= MAX_COPIED_BYTES) {
      raw.write(messagesOf(frames), sent);
      return;
    }
    raw.cork();
    const pieces = frames.flatMap(piecesOf);
    for (const piece of pieces.slice(0, -1)) raw.write(piece);
    raw.write(pieces.at(-1), sent);
    raw.uncork();
  }

  /** A frame handed to the listener has been dealt with. */
  processed(sizeBytes: number): void {
    this.#count(-sizeBytes);
    this.#unprocessedBytes -= sizeBytes;
    this.#unprocessedFrames -= 1;
    this.#regulate();
  }

  /** What the client asks for costs as much of its pace as so many bytes. */
  spend(costBytes: number): void {
    this.#hold(this.#pace.spend(costBytes));
    this.#regulate();
  }

  /** @param isBehind - whether so much is to be answered that nothing more is read from the client */
  setBehind(isBehind: boolean): void {
    if (isBehind === this.#isBehind) return;
    this.#isBehind = isBehind;
    this.#regulate();
  }

  /** Asks for a sign of life, or gives up on a client that gave none since the last time. */
  heartbeat(): void {
    if (!this.#isAlive) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    if (this.isOpen) this.#socket.ping();
  }

  close(code: number, reason: string): void {
    this.#leave();
    this.#socket.close(code, reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#isAlive = true;
    if (!isBinary || !(data instanceof Uint8Array)) {
      this.#listener.malformed();
      return;
    }
    this.#count(data.length);
    this.#unprocessedBytes += data.length;
    this.#hold(this.#pace.spend(data.length));
    this.#unprocessedFrames += 1;
    this.#regulate();
    this.#listener.frame(data);
  }

  /** What is closed counts no more, whatever is still called. */
  #count(bytes: number): void {
    if (this.#socket.readyState === this.#socket.CLOSED) return;
    this.#countedBytes += bytes;
    this.#flight.add(bytes);
  }

  /** A client that asks for signs of life and does not read them gets no more. */
  #answerPing(data: Buffer): void {
    this.#hold(this.#pace.spend(data.length));
    if (this.isOpen && !this.isFull) this.#socket.pong(data, false, () => this.#regulate());
    this.#regulate();
  }

  #sent(sizeBytes: number): void {
    this.#count(-sizeBytes);
    // A slow client whose pongs wait behind a pause is alive as long as it reads.
    this.#isAlive = true;
    this.#regulate();
    if (this.#wasFull && !this.isFull) {
      this.#wasFull = false;
      this.#listener.drained();
    }
  }

  /** A client that sends faster than it may waits until it may again. */
  #hold(ms: number): void {
    if (ms <= 0 || this.#isHeld) return;
    this.#isHeld = true;
    const again = (): void => {
      this.#isHeld = false;
      this.#isAlive = true; // its pong may wait behind the pause
      if (this.isOpen) this.#hold(this.#pace.resume());
      this.#regulate();
    };
    setTimeout(again, Math.min(ms, LONGEST_HOLD_MS)).unref();
  }

  /** A client that does not read, or sends faster than we can store, waits in its own socket. */
  #regulate(): void {
    if (!this.isOpen) return;
    const isBusy =
      this.#unprocessedBytes > MAX_UNPROCESSED_BYTES || this.#unprocessedFrames > MAX_UNPROCESSED_FRAMES;
    const mustWait = this.#isHeld || this.#isBehind || this.isFull || isBusy;
    if (mustWait && !this.#socket.isPaused) {
      this.#socket.pause();
      this.#sound();
    }
    if (!mustWait && this.#socket.isPaused) this.#socket.resume();
  }

  /** Where something is unsent, its sending fails by itself. */
  #sound(): void {
    this.#sounding ??= setTimeout(() => {
      this.#sounding = undefined;
      if (!this.isOpen || !this.#socket.isPaused) return;
      if (this.#socket.bufferedAmount === 0) this.#socket.ping();
      this.#sound();
    }, SOUND_MS).unref();
  }
}
