/**
 * Begins a session with the relay anew after something of it was garbled on its way.
 *
 * Both sides keep count of what they have told each other, and say nothing twice. So a message that came as nonsense, or
 * a change that had to be refused, is missing for as long as the session lasts, even when the line has long been sound.
 *
 * @module
 */

import { reconnectDelayMs } from "../platform/backoff.js";
import { idleTimers } from "../platform/idle-timers.js";
import type { CancelTimer } from "../platform/timers.js";

/** Where one message was garbled, others follow at once. */
const SETTLE_MS = 500;
/** A line that was sound for so long may be tried quickly again. */
const SOUND_MS = 60_000;

export interface BrokenSessionsOptions {
  readonly begin: () => void;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
}

export class BrokenSessions {
  readonly #options: BrokenSessionsOptions;
  #cancel: CancelTimer | undefined;
  #attempts = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(options: BrokenSessionsOptions) {
    this.#options = options;
  }

  /** Something of this session did not arrive as it was sent. */
  noteBreak(): void {
    if (this.#cancel !== undefined) return;
    const now = performance.now();
    this.#attempts = now - this.#lastAt > SOUND_MS ? 0 : this.#attempts + 1;
    this.#lastAt = now;
    const { begin, random = Math.random } = this.#options;
    this.#cancel = idleTimers.after(SETTLE_MS + reconnectDelayMs(this.#attempts, random), () => {
      this.#cancel = undefined;
      begin();
    });
  }

  /** The session has ended anyway. */
  forget(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
