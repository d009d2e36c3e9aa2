/**
 * Restarts a session with the relay when something of it was garbled on its way, or when it has come to a stop.
 *
 * Both sides keep count of what they have sent each other, and send nothing twice. So a message that came as nonsense,
 * or a change that had to be refused, is missing for as long as the session lasts, even when the line has long been
 * sound.
 *
 * @module
 */
import { reconnectDelayMs } from "../platform/backoff.js";
import { idleTimers } from "../platform/idle-timers.js";
import type { CancelTimer, Timers } from "../platform/timers.js";

/** Where one message was garbled, others follow at once. */
const SETTLE_MS = 500;
/** A session in which nothing comes for so long, though something is missing, has come to a stop. */
const TIMEOUT_MS = 10_000;
/** It may as well be one large message on a slow line: each time, it is waited for twice as long. */
const MAX_TIMEOUT_MS = 15 * 60_000;

export interface SessionWatchOptions {
  /** Restarts the session. */
  readonly begin: () => void;
  /** Whether nothing is to be expected: all is synced, or there is no session. */
  readonly isAtRest: () => boolean;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
  readonly timers?: Timers;
}

export class SessionWatch {
  readonly #options: Required<SessionWatchOptions>;
  #cancelBegin: CancelTimer | undefined;
  #cancelWatch: CancelTimer | undefined;
  #hasMoved = false;
  #timeoutMs = TIMEOUT_MS;
  #breaks = 0;

  constructor(options: SessionWatchOptions) {
    this.#options = { random: Math.random, timers: idleTimers, ...options };
  }

  /** Something of this session did not arrive as it was sent. */
  noteBreak(): void {
    if (this.#cancelBegin !== undefined) return;
    const { random, timers } = this.#options;
    const delayMs = SETTLE_MS + reconnectDelayMs(this.#breaks, random);
    this.#breaks += 1;
    this.#cancelBegin = timers.after(delayMs, () => {
      this.#cancelBegin = undefined;
      this.#options.begin();
    });
  }

  /** Something came from the relay, or there is something new for it. */
  noteProgress(): void {
    this.#hasMoved = true;
    this.#cancelWatch ??= this.#watch();
  }

  /** The session has ended anyway. */
  forget(): void {
    this.#cancelBegin?.();
    this.#cancelWatch?.();
    this.#cancelBegin = undefined;
    this.#cancelWatch = undefined;
  }

  #watch(): CancelTimer {
    return this.#options.timers.after(this.#timeoutMs, () => {
      this.#cancelWatch = undefined;
      if (this.#options.isAtRest()) {
        this.#timeoutMs = TIMEOUT_MS;
        this.#breaks = 0;
      } else if (this.#hasMoved) {
        this.#hasMoved = false;
        this.#cancelWatch = this.#watch();
      } else {
        this.#timeoutMs = Math.min(2 * this.#timeoutMs, MAX_TIMEOUT_MS);
        this.#options.begin();
      }
    });
  }
}
