/**
 * Work that the daemon does again and again: a while after it started, and then so long after each time it was done.
 *
 * @module
 */
import type { CancelTimer, Timers } from "@cambium/client/host";

export interface RepeatedRunOptions {
  readonly timers: Timers;
  /** Whoever started the daemon is answered first. */
  readonly firstMs: number;
  /** From the end of one run to the beginning of the next. */
  readonly everyMs: number;
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** The next run comes all the same. */
  readonly onFailure: (error: unknown) => void;
}

export class RepeatedRun {
  readonly #options: RepeatedRunOptions;
  readonly #stopping = new AbortController();
  #cancel: CancelTimer;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RepeatedRunOptions) {
    this.#options = options;
    this.#cancel = options.timers.after(options.firstMs, () => this.#run());
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  #run(): void {
    const { run, onFailure, timers, everyMs } = this.#options;
    this.#running = run(this.signal)
      .catch(onFailure)
      .finally(() => {
        if (!this.signal.aborted) this.#cancel = timers.after(everyMs, () => this.#run());
      });
  }

  /** Resolves when nothing is done any more. */
  async stop(): Promise<void> {
    this.#cancel();
    this.#stopping.abort();
    await this.#running;
  }
}
