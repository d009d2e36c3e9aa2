/**
 * What keeps the daemon alive: calls and streams that are open, and how long ago the last one ended.
 *
 * @module
 */
import type { CancelTimer, Timers } from "@cambium/client/host";

export interface ActivityOptions {
  readonly timers: Timers;
  readonly idleMs: number;
  /** Whether something is left to do that nobody waits for, such as changes to send. */
  readonly isBusy: () => Promise<boolean>;
  readonly onIdle: () => void;
}

export class Activity {
  readonly #options: ActivityOptions;
  readonly #calls = new Set<symbol>();
  #noneLeft = Promise.withResolvers<void>();
  #cancel: CancelTimer | undefined;
  #isOver = false;

  constructor(options: ActivityOptions) {
    this.#options = options;
    this.#rest();
  }

  /** @returns what to call once, at its end */
  begin(): () => void {
    const call = Symbol();
    this.#calls.add(call);
    this.#cancel?.();
    this.#cancel = undefined;
    return () => {
      if (!this.#calls.delete(call) || this.#calls.size > 0) return;
      this.#noneLeft.resolve();
      this.#noneLeft = Promise.withResolvers<void>();
      this.#rest();
    };
  }

  /** Resolves when nothing is open. */
  async settled(): Promise<void> {
    if (this.#calls.size > 0) await this.#noneLeft.promise;
  }

  end(): void {
    this.#isOver = true;
    this.#cancel?.();
  }

  #rest(): void {
    if (this.#isOver || this.#options.idleMs === Number.POSITIVE_INFINITY) return;
    this.#cancel?.();
    this.#cancel = this.#options.timers.after(this.#options.idleMs, () => void this.#endIfIdle());
  }

  async #endIfIdle(): Promise<void> {
    // Nobody waits for one that cannot be asked.
    const isBusy = await this.#options.isBusy().catch(() => false);
    if (this.#isOver || this.#calls.size > 0) return;
    if (isBusy) this.#rest();
    else this.#options.onIdle();
  }
}
