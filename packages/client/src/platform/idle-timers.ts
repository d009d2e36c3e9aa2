/**
 * Timers for what can wait until the process has something else to do, or ends.
 *
 * @module
 */
import type { Timers } from "./timers.js";

/** They keep no process alive. */
export const idleTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
