/**
 * Repeating timers as an argument, so that tests decide when time passes.
 *
 * @module
 */

/** Ends the repetition. Calling it again does nothing. */
export type StopTimer = () => void;

/** A clock that calls back again and again. */
export interface Timers {
  /** Calls `run` every `periodMs` until stopped. */
  every(periodMs: number, run: () => void): StopTimer;
}

/** Real time. A timer does not keep the process from ending. */
export const systemTimers: Timers = {
  every(periodMs, run) {
    const timer = setInterval(run, periodMs);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/**
 * The same time, for what is measured with it: where the clock is set back, it goes on from where it was.
 *
 * @param now - returns milliseconds since any moment
 */
export function neverBack(now: () => number): () => number {
  let [last, behindMs] = [Number.NEGATIVE_INFINITY, 0];
  return () => {
    const at = now();
    if (at < last) behindMs += last - at;
    last = at;
    return at + behindMs;
  };
}

/**
 * What time it is to whoever judges what has ended: a clock that is set back brings nothing back to life. Time goes on
 * from where it was, and follows the clock again once that has come as far.
 *
 * @param clock - returns milliseconds since 1970
 * @param elapsed - returns milliseconds since any moment, and is never set
 */
export function onwards(clock: () => number, elapsed: () => number): () => number {
  let [last, lookedAt] = [Number.NEGATIVE_INFINITY, 0];
  return () => {
    const at = elapsed();
    last = Math.max(clock(), last + at - lookedAt);
    lookedAt = at;
    return Math.floor(last);
  };
}

/** The test twin: nothing runs until `tick` is called. */
export function manualTimers(): Timers & { tick(): void } {
  const running = new Set<() => void>();
  return {
    every(_periodMs, run) {
      running.add(run);
      return () => running.delete(run);
    },
    tick() {
      for (const run of [...running]) run();
    },
  };
}
