/**
 * Waiting that neither keeps a process alive nor outlasts its caller.
 *
 * @module
 */
import { throwIfAborted } from "@cambium/core";
import type { Timers } from "../platform/timers.js";

/** Timers that do not keep the process from ending. */
export const backgroundTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs`, or as soon as the signal fires. */
export function pause(timers: Timers, delayMs: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal?.aborted) return Promise.resolve();
  const cancel = timers.after(delayMs, () => {
    signal?.removeEventListener("abort", stop);
    resolve();
  });
  const stop = (): void => {
    cancel();
    resolve();
  };
  signal?.addEventListener("abort", stop, { once: true });
  return promise;
}

/**
 * Waits no longer than the signal allows for work that cannot be stopped; what it gives later is ignored.
 *
 * @throws {CambiumError} ABORTED
 */
export async function unlessAborted<Value>(work: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => {
    try {
      throwIfAborted(signal);
    } catch (error) {
      reject(error);
    }
  };
  signal.addEventListener("abort", stop, { once: true });
  stop();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
