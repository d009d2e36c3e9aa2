/**
 * A line to a relay: one session after the other, begun again by itself.
 *
 * Nothing that a network or a relay does makes it throw: whatever goes wrong becomes a state or a notice.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import {
  decodeRelayFrame,
  encodeClientFrame,
  type LogClientFrame,
  type LogRelayFrame,
  type WelcomeFrame,
} from "@cambium/core/wire";
import { reconnectDelayMs } from "../platform/backoff.js";
import { type CancelTimer, systemTimers, type Timers } from "../platform/timers.js";
import type { RelayLineOptions, RelayNotice } from "./relay-line-options.js";
import { tokenRole } from "./relay-shapes.js";
import { beforeWelcome, lost, RelaySocket, type SocketEnding } from "./relay-socket.js";
import { checkToken, normaliseRelayUrl, relaySocketUrl } from "./relay-url.js";

/** From the first packet to the relay's welcome. */
export const WELCOME_TIMEOUT_MS = 15_000;
const SILENT_RELAY =
  "The relay takes connections and says nothing: it is of an earlier version, which has to be updated, or overloaded.";
/** Both devices of a pair have to come back before one shows what the other wrote. A refused attempt costs next to nothing. */
const RECONNECT_CAP_MS = 2_000;
/** A relay that makes so little sense is not worth listening to. */
const MAX_INVALID_FRAMES = 100;

interface Connection {
  readonly socket: RelaySocket;
  readonly cancelDeadline: CancelTimer;
  isInSession: boolean;
  invalidFrames: number;
}

type Phase =
  | { readonly kind: "idle" }
  | { readonly kind: "waiting"; readonly cancel: CancelTimer }
  | { readonly kind: "connected"; readonly connection: Connection }
  | { readonly kind: "refused" }
  | { readonly kind: "closed" };

export class RelayLine {
  readonly #options: RelayLineOptions;
  readonly #url: string;
  readonly #timers: Timers;
  #phase: Phase = { kind: "idle" };
  /** Attempts since a connection last outlived a heartbeat. */
  #attempts = 0;
  #invalidFrames = 0;
  /** Resolves when the last socket is gone. */
  #gone: Promise<void> = Promise.resolve();

  /** @throws {CambiumError} BAD_INPUT when the address or the token cannot be one */
  constructor(options: RelayLineOptions) {
    this.#options = options;
    this.#url = relaySocketUrl(normaliseRelayUrl(options.url));
    checkToken(options.token);
    this.#timers = options.timers ?? systemTimers;
  }

  /** How many frames of the relay made no sense, ever. */
  get invalidFrames(): number {
    return this.#invalidFrames;
  }

  open(): void {
    if (this.#phase.kind === "idle") this.#connect();
  }

  /** Ends the session; `open` begins another one. */
  hangUp(): void {
    if (this.#phase.kind === "closed" || this.#phase.kind === "refused") return;
    this.#stop({ kind: "idle" });
  }

  /** Tries again at once where it would wait, or has given up after a refusal: somebody wants to know now. */
  retry(): void {
    if (this.#phase.kind === "waiting") this.#phase.cancel();
    else if (this.#phase.kind !== "refused") return;
    this.#connect();
  }

  /** Ends the line for good. Resolves when the socket is gone. */
  close(): Promise<void> {
    if (this.#phase.kind !== "closed") this.#stop({ kind: "closed" });
    return this.#gone;
  }

  /** Sends, if there is a session. */
  send(frame: LogClientFrame): void {
    if (this.#phase.kind !== "connected" || !this.#phase.connection.isInSession) return;
    this.#phase.connection.socket.send(encodeClientFrame(frame));
  }

  #connect(): void {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const socket = new RelaySocket({
      url: this.#url,
      token: this.#options.token,
      userAgent: this.#options.userAgent,
      timers: this.#timers,
      listener: {
        frame: (bytes) => this.#receive(connection, bytes),
        proven: () => {
          this.#attempts = 0;
        },
        ended: (ending) => {
          resolve();
          this.#ended(connection, ending);
        },
      },
    });
    const cancelDeadline = this.#timers.after(WELCOME_TIMEOUT_MS, () =>
      socket.end(
        lost("RELAY_UNREACHABLE", socket.isOpen ? SILENT_RELAY : "The relay did not answer in time."),
      ),
    );
    const connection: Connection = { socket, cancelDeadline, isInSession: false, invalidFrames: 0 };
    this.#gone = gone;
    this.#phase = { kind: "connected", connection };
    this.#tell(() => this.#options.onState?.("connecting"));
  }

  #receive(connection: Connection, bytes: Uint8Array): void {
    let frame: LogRelayFrame;
    try {
      frame = decodeRelayFrame(bytes);
    } catch (cause) {
      this.#invalid(connection, cause);
      return;
    }
    if (frame.type === "welcome") this.#welcome(connection, frame);
    else if (connection.isInSession) this.#tell(() => this.#options.onFrame(frame));
  }

  #invalid(connection: Connection, cause: unknown): void {
    this.#invalidFrames += 1;
    connection.invalidFrames += 1;
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#notice("invalid-frame", `The relay sent an invalid frame: ${reason}`, cause);
    if (connection.invalidFrames < MAX_INVALID_FRAMES) return;
    connection.socket.close(
      4400,
      lost("RELAY_PROTOCOL", "The relay sends messages that this replica does not understand."),
    );
  }

  #welcome(connection: Connection, welcome: WelcomeFrame): void {
    if (connection.isInSession) return;
    if (!tokenRole.safeParse(welcome.role).success) {
      // What it allows is kept on disk: what no relay gives has been changed on its way.
      connection.socket.close(
        4400,
        lost("RELAY_PROTOCOL", "The relay gives this device a role that is none. It is asked again."),
      );
      return;
    }
    const { space } = this.#options;
    if (space !== undefined && space !== welcome.space) {
      const reason = new CambiumError("TOKEN_REFUSED", "The relay's token is for another space.", {
        details: { space: welcome.space },
      });
      connection.socket.close(1000, { kind: "refused", reason });
      return;
    }
    connection.cancelDeadline();
    connection.isInSession = true;
    this.#tell(() => this.#options.onState?.("online"));
    this.#tell(() => this.#options.onWelcome(welcome));
  }

  #ended(connection: Connection, ending: SocketEnding): void {
    connection.cancelDeadline();
    if (this.#phase.kind !== "connected" || this.#phase.connection !== connection) return;
    const { kind, reason } = connection.isInSession ? ending : beforeWelcome(ending);
    if (kind === "refused") {
      this.#phase = { kind: "refused" };
    } else {
      const delayMs = reconnectDelayMs(this.#attempts, this.#options.random ?? Math.random, RECONNECT_CAP_MS);
      this.#attempts += 1;
      this.#phase = { kind: "waiting", cancel: this.#timers.after(delayMs, () => this.#connect()) };
    }
    connection.isInSession = false;
    this.#tell(() => this.#options.onState?.(kind === "refused" ? "refused" : "offline", reason));
  }

  #stop(phase: Phase): void {
    const before = this.#phase;
    this.#phase = phase;
    if (before.kind === "waiting") before.cancel();
    if (before.kind !== "connected") return;
    const { connection } = before;
    connection.cancelDeadline();
    connection.isInSession = false;
    connection.socket.close(1000, lost("RELAY_UNREACHABLE", "The connection to the relay has been closed."));
    this.#tell(() => this.#options.onState?.("offline"));
  }

  #notice(kind: RelayNotice["kind"], message: string, cause?: unknown): void {
    this.#tell(() => this.#options.onNotice?.({ kind, message, cause }));
  }

  /** A listener that throws must not take the process with it, nor keep the others from hearing. */
  #tell(listener: () => void): void {
    try {
      listener();
    } catch (cause) {
      try {
        this.#options.onNotice?.({
          kind: "listener-failed",
          message: "A listener of the relay failed.",
          cause,
        });
      } catch {
        // The one who would be told is the one who fails.
      }
    }
  }
}
