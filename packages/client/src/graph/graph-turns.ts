/**
 * One edit of a space's graph after the other: what one finds there, no other takes away before it has written.
 *
 * @module
 */

import { Turns } from "../platform/turns.js";

/** Positions are microseconds, so that what was written in one millisecond keeps its order, too. */
const POSITIONS_PER_MS = 1_000;

export class GraphTurns extends Turns {
  readonly #now: () => number;
  #lastPosition = 0;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    super();
    this.#now = now;
  }

  /** Greater than all before it, wherever the clock has gone since. */
  position(): number {
    this.#lastPosition = Math.max(this.#now() * POSITIONS_PER_MS, this.#lastPosition + 1);
    return this.#lastPosition;
  }
}
