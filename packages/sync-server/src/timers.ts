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
