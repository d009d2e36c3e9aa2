/**
 * Whoever's work took much longer than a turn rests, as long as others are there: they must not wait for one such
 * piece after the other.
 *
 * @module
 */

/** Twice what a turn takes. What honest replicas send stays below. */
const LONG_MS = 10;
/** So many times as long as it took. */
const REST_FACTOR = 3;
const LONGEST_REST_MS = 3_000;
/** Others are there if one of them had a turn so lately. */
const OTHERS_MS = 1_000;

export class Rests {
  readonly #elapsed: () => number;
  readonly #until = new Map<string, number>();
  /** The space that had the last turn, and the one before it that is another. */
  #last = { space: "", at: Number.NEGATIVE_INFINITY };
  #other = this.#last;

  /** @param elapsed - returns milliseconds since any moment */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** A space had a turn that took so long, for itself alone. */
  note(space: string, tookMs: number): void {
    const at = this.#elapsed();
    if (space !== this.#last.space) this.#other = this.#last;
    this.#last = { space, at };
    if (tookMs < LONG_MS || at - this.#other.at > OTHERS_MS) return;
    this.#until.set(space, at + Math.min(LONGEST_REST_MS, tookMs * REST_FACTOR));
  }

  has(space: string): boolean {
    const until = this.#until.get(space);
    if (until === undefined) return false;
    if (until > this.#elapsed()) return true;
    this.#until.delete(space);
    return false;
  }

  /** How many milliseconds until the next one is over; undefined if nobody rests. */
  get nextMs(): number | undefined {
    if (this.#until.size === 0) return undefined;
    return Math.max(1, Math.min(...this.#until.values()) - this.#elapsed());
  }
}
