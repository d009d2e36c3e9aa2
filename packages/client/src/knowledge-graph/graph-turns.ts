/**
 * One edit of a space's graph after the other: what one finds there, no other takes away before it has written.
 *
 * @module
 */

/** Positions are microseconds, so that what was written in one millisecond keeps its order, too. */
const POSITIONS_PER_MS = 1_000;

export class GraphTurns {
  readonly #now: () => number;
  #last: Promise<unknown> = Promise.resolve();
  #lastPosition = 0;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined); // whoever asked for it is told
    return turn;
  }

  /** Greater than all before it, wherever the clock has gone since. */
  position(): number {
    this.#lastPosition = Math.max(this.#now() * POSITIONS_PER_MS, this.#lastPosition + 1);
    return this.#lastPosition;
  }
}
