/**
 * Promises that resolve when a condition, asked again after each change, holds.
 *
 * @module
 */
import { throwIfAborted } from "@cambium/core";

interface Waiter {
  readonly holds: () => boolean;
  readonly resolve: () => void;
}

export class Waiters {
  readonly #waiting = new Set<Waiter>();

  /** @throws {CambiumError} ABORTED when the signal fires first */
  until(holds: () => boolean, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      this.#waiting.delete(waiter);
      try {
        throwIfAborted(signal);
      } catch (error) {
        reject(error);
      }
    };
    const waiter: Waiter = {
      holds,
      resolve: () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      },
    };
    if (signal?.aborted) abort();
    else if (holds()) resolve();
    else {
      this.#waiting.add(waiter);
      signal?.addEventListener("abort", abort, { once: true });
    }
    return promise;
  }

  /** To be called after every change that a condition may depend on. */
  check(): void {
    for (const waiter of [...this.#waiting]) {
      if (!waiter.holds()) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }
}
