/**
 * Timers as an argument, so that tests decide when time passes.
 *
 * @module
 */

/** Keeps the timer from running. Has no effect once it has run. */
export type CancelTimer = () => void;

/** A clock that calls back. */
export interface Timers {
  /** Calls `run` once, `delayMs` from now, unless cancelled. */
  after(delayMs: number, run: () => void): CancelTimer;
}

/** Real time. A waiting timer keeps the process from ending. */
export const systemTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Timers for tests. */
export interface ManualTimers extends Timers {
  /** Lets time pass, running what falls due in order. */
  advance(byMs: number): void;
  /** How long each waiting timer still has, shortest first. */
  waitingMs(): readonly number[];
}

/** The test twin: time stands still until `advance` is called. */
export function manualTimers(): ManualTimers {
  const waiting = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  let nowMs = 0;
  const inOrder = () => [...waiting].sort((a, b) => a.dueMs - b.dueMs);
  return {
    after(delayMs, run) {
      const timer = { dueMs: nowMs + delayMs, run };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
    advance(byMs) {
      const endMs = nowMs + byMs;
      for (let next = inOrder()[0]; next !== undefined && next.dueMs <= endMs; next = inOrder()[0]) {
        waiting.delete(next);
        nowMs = next.dueMs;
        next.run();
      }
      nowMs = endMs;
    },
    waitingMs: () => inOrder().map(({ dueMs }) => dueMs - nowMs),
  };
}
