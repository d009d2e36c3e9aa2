/**
 * One connection to a relay: the socket, its sign of life, and the one reason why it ended.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import { LOG_LIMITS, LOG_PROTOCOL } from "@cambium/core/wire";
import WebSocket, { type RawData } from "ws";
import type { CancelTimer, Timers } from "../platform/timers.js";
import { certificateHint } from "./refused-certificate.js";

/** Without a sign of life between two beats, the connection is given up. */
export const HEARTBEAT_MS = 15_000;
const CLOSE_GRACE_MS = 1_000;

export interface SocketEnding {
  /** `refused`: the relay knows us and says no, so that trying again would change nothing. */
  readonly kind: "refused" | "lost";
  readonly reason: CambiumError;
}

export interface SocketListener {
  frame(bytes: Uint8Array): void;
  /** The connection has outlived a heartbeat. */
  proven(): void;
  /** Once, and last. */
  ended(ending: SocketEnding): void;
}

export interface SocketOptions {
  readonly url: string;
  readonly token: string;
  readonly userAgent: string | undefined;
  readonly timers: Timers;
  readonly listener: SocketListener;
}

export class RelaySocket {
  readonly #socket: WebSocket;
  readonly #timers: Timers;
  readonly #listener: SocketListener;
  readonly #host: string;
  #cancelTimer: CancelTimer = () => {};
  #ending: SocketEnding | undefined;
  #isAlive = true;
  #unsentBytes = 0;

  constructor({ url, token, userAgent, timers, listener }: SocketOptions) {
    this.#timers = timers;
    this.#listener = listener;
    this.#host = new URL(url).host;
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (userAgent !== undefined) headers["user-agent"] = userAgent;
    // What is large is compressed already, and a compressed frame could inflate without bound.
    this.#socket = new WebSocket(url, LOG_PROTOCOL, {
      headers,
      perMessageDeflate: false,
      maxPayload: LOG_LIMITS.relayBytes,
      allowSynchronousEvents: false, // what one message sets free leaves before the next is read
    });
    this.#socket.on("open", () => this.#opened());
    this.#socket.on("upgrade", ({ headers: { "sec-websocket-protocol": protocol } }) => {
      if (protocol !== LOG_PROTOCOL) this.end({ kind: "refused", reason: otherProtocol() });
    });
    this.#socket.on("message", (data) => this.#received(data));
    this.#socket.on("ping", () => this.#heard());
    this.#socket.on("pong", () => this.#heard());
    this.#socket.on("unexpected-response", (_request, response) => {
      response.resume();
      this.end(answerToEnding(this.#host, response.statusCode ?? 0));
    });
    // `close` follows every error; an error without a listener would end the process.
    this.#socket.on("error", (error) => {
      this.#ending ??= lost("RELAY_UNREACHABLE", `The relay at ${this.#host} cannot be reached.`, {
        hint: certificateHint(error),
        cause: error,
      });
    });
    this.#socket.on("close", (code) => this.#closed(code));
  }

  /** Whether the relay has taken the connection. */
  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Sends, if there is a connection; when there is none, `ended` has been or will be called. */
  send(bytes: Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    // A failure shows as `close`.
    this.#socket.send(bytes, () => {});
  }

  /** Ends the connection at once, for this reason. */
  end(ending: SocketEnding): void {
    this.#ending ??= ending;
    this.#socket.terminate();
  }

  /** Says goodbye, and does not wait long for the answer. */
  close(code: number, ending: SocketEnding): void {
    if (this.#socket.readyState === WebSocket.CONNECTING) {
      this.end(ending);
      return;
    }
    this.#ending ??= ending;
    this.#cancelTimer();
    this.#cancelTimer = this.#timers.after(CLOSE_GRACE_MS, () => this.#socket.terminate());
    this.#socket.close(code);
  }

  #opened(): void {
    this.#cancelTimer = this.#timers.after(HEARTBEAT_MS, () => this.#beat());
  }

  #heard(): void {
    this.#isAlive = true;
  }

  #received(data: RawData): void {
    this.#heard();
    // Once the connection is given up, what still comes in belongs to nobody.
    if (this.#ending === undefined && data instanceof Uint8Array) this.#listener.frame(new Uint8Array(data));
  }

  #beat(): void {
    // A relay that is slow to read answers late, but what we have yet to send grows less.
    const unsentBytes = this.#socket.bufferedAmount;
    if (!this.#isAlive && unsentBytes >= this.#unsentBytes) {
      this.end(lost("RELAY_UNREACHABLE", `The relay at ${this.#host} gives no sign of life.`));
      return;
    }
    this.#isAlive = false;
    this.#unsentBytes = unsentBytes;
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
    this.#cancelTimer = this.#timers.after(HEARTBEAT_MS, () => this.#beat());
    this.#listener.proven();
  }

  #closed(code: number): void {
    this.#cancelTimer();
    this.#listener.ended(this.#ending ?? closeCodeToEnding(this.#host, code));
  }
}

function answerToEnding(host: string, status: number): SocketEnding {
  switch (status) {
    case 401:
      return { kind: "refused", reason: tokenRefused() };
    case 403:
      return {
        kind: "refused",
        reason: new CambiumError("ROLE_REFUSED", "The relay does not let this token sync.", {
          hint: "Ask for an invitation with the role read or write.",
        }),
      };
    case 429:
      return lost("RELAY_UNREACHABLE", `The relay at ${host} takes no more connections from here for now.`);
    default:
      return lost("RELAY_UNREACHABLE", `${host} answered ${status}; it is not a relay, or it has a problem.`);
  }
}

function closeCodeToEnding(host: string, code: number): SocketEnding {
  switch (code) {
    case 4401:
      return { kind: "refused", reason: tokenRefused() };
    case 4410:
      return lost("RELAY_UNREACHABLE", `What this device may do at ${host} has changed; it connects again.`);
    case 4400:
      return lost("RELAY_PROTOCOL", `The relay at ${host} did not understand a message.`);
    case 1009:
      return lost("RELAY_PROTOCOL", `A message is larger than the relay at ${host} takes.`);
    case 1001:
      return lost("RELAY_UNREACHABLE", `The relay at ${host} is stopping.`);
    default:
      return lost("RELAY_UNREACHABLE", `The connection to the relay at ${host} was lost.`);
  }
}

const tokenRefused = (): CambiumError =>
  new CambiumError("TOKEN_REFUSED", "The relay does not know the token; it has expired or was revoked.", {
    hint: "Join again with a new invitation: cambium join <invitation>. If the relay has lost the space, publish it again: cambium link <url of the relay> --token <admin token of the relay>",
  });

const otherProtocol = (): CambiumError =>
  new CambiumError("RELAY_PROTOCOL", "The relay speaks another version of the protocol.", {
    hint: `This replica speaks ${LOG_PROTOCOL}; update the older of the two.`,
  });

/** A relay that takes the protocol for its own, and then understands nothing, is of an earlier version. */
export const beforeWelcome = (ending: SocketEnding): SocketEnding =>
  ending.kind === "lost" && ending.reason.code === "RELAY_PROTOCOL"
    ? { kind: "refused", reason: otherProtocol() }
    : ending;

export const lost = (
  code: "RELAY_UNREACHABLE" | "RELAY_PROTOCOL",
  message: string,
  more: { readonly hint?: string | undefined; readonly cause?: unknown } = {},
): SocketEnding => ({ kind: "lost", reason: new CambiumError(code, message, more) });
