/**
 * How long to wait between attempts.
 *
 * @module
 */

const BASE_MS = 100;
const CAP_MS = 30_000;

/**
 * Returns how long to wait before the next attempt.
 *
 * "Full jitter": uniform below a doubling, capped bound, so that replicas cut off together do not return
 * together.
 *
 * @param attempt - attempts since a connection last proved itself; 0 before the first retry
 * @param random - uniform in [0, 1); seeded in tests
 * @param capMs - the bound grows no further
 * @returns whole milliseconds, at least 0 and below `capMs`
 * @throws {RangeError} when `attempt` is negative or fractional
 * @see M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015
 */
export function reconnectDelayMs(attempt: number, random: () => number, capMs = CAP_MS): number {
  if (!Number.isSafeInteger(attempt) || attempt < 0) {
    throw new RangeError(`An attempt is counted from 0, got ${attempt}`);
  }
  return Math.floor(random() * Math.min(capMs, BASE_MS * 2 ** attempt));
}
