/**
 * Long work cut into short turns: after some of it, whatever else waits in this process goes first. Promises that
 * are ready let nobody in, no matter how many of them are awaited.
 *
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";

export interface ShortTurnsOptions {
  /** So many pieces are done in a turn. */
  readonly pieces: number;
  /** And begun within so many milliseconds: pieces differ in size. */
  readonly turnMs?: number | undefined;
}

const TURN_MS = 20;

export class ShortTurns {
  readonly #pieces: number;
  readonly #turnMs: number;
  #done = 0;
  #beganAt = performance.now();

  constructor({ pieces, turnMs = TURN_MS }: ShortTurnsOptions) {
    this.#pieces = pieces;
    this.#turnMs = turnMs;
  }

  /** A turn begins with this: nothing was done in it yet. */
  begin(): void {
    this.#done = 0;
    this.#beganAt = performance.now();
  }

  /** Asked before each piece; what was true may have changed when it resolves. */
  async piece(): Promise<void> {
    this.#done += 1;
    if (this.#done <= this.#pieces && performance.now() - this.#beganAt < this.#turnMs) return;
    await nextTurn();
    this.begin();
    this.#done = 1;
  }
}
