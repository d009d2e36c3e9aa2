/**
 * Calls that write and have begun. Whoever closes the space waits for them: what is stored is also answered.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type { Timers } from "../platform/timers.js";

/** What takes longer, such as a long import, or waits for somebody else, is ended by the closing itself. */
const MAX_WAIT_MS = 30_000;

export class BegunCalls {
  readonly #begun = new Set<Promise<unknown>>();
  #isClosed = false;

  /** @throws {CambiumError} REPLICA_CLOSED once the space is being closed */
  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw closed();
    const result = call();
    this.#begun.add(result);
    try {
      return await result;
    } finally {
      this.#begun.delete(result);
    }
  }

  /** Waits for all that have begun, and at most as long as said. Nothing begins from here on. */
  async close(timers: Timers, atMostMs = MAX_WAIT_MS): Promise<void> {
    this.#isClosed = true;
    const passed = Promise.withResolvers<void>();
    const cancel = timers.after(atMostMs, passed.resolve);
    await Promise.race([Promise.allSettled(this.#begun), passed.promise]);
    cancel();
  }
}

const closed = (): CambiumError =>
  new CambiumError("REPLICA_CLOSED", "The space has been closed; open it again.");
