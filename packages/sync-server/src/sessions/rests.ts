/**
 * Whoever's work took much longer than a turn rests, as long as others are there: they must not wait for one such
 * piece after the other. Where it is asked for, nobody gets more than a part of the time for long.
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
/** So much work passes at once, whatever part of the time is anyone's for long. */
const BURST_MS = 250;
/** So many are remembered as having worked. */
const MOST_WORKED = 4_096;

export class Rests {
  readonly #elapsed: () => number;
  readonly #part: number;
  readonly #othersMs: number;
  readonly #until = new Map<string, number>();
  /** How much each has worked beyond its part, at some moment. */
  readonly #worked = new Map<string, { readonly ms: number; readonly at: number }>();
  /** The space that had the last turn, and the one before it that is another. */
  #last = { space: "", at: Number.NEGATIVE_INFINITY };
  #other = this.#last;

  /**
   * @param elapsed - returns milliseconds since any moment
   * @param part - of the time that one may work for long. Default: all of it
   * @param othersMs - others are there if one of them had a turn so lately
   */
  constructor(elapsed: () => number, { part = 1, othersMs = OTHERS_MS } = {}) {
    this.#elapsed = elapsed;
    this.#part = part;
    this.#othersMs = othersMs;
  }

  /**
   * A space had a turn that took so long, for itself alone.
   *
   * @param longMs - how much of it was no fault of the machine
   */
  note(space: string, tookMs: number, longMs = tookMs): void {
    const at = this.#elapsed();
    if (space !== this.#last.space) this.#other = this.#last;
    this.#last = { space, at };
    const isLong = longMs >= LONG_MS;
    const beyondMs = this.#part === 1 ? 0 : this.#work(space, at, tookMs) - BURST_MS;
    if ((!isLong && beyondMs <= 0) || at - this.#other.at > this.#othersMs) return;
    const restMs = Math.max(beyondMs / this.#part, isLong ? longMs * REST_FACTOR : 0);
    this.#until.set(space, at + Math.min(LONGEST_REST_MS, restMs));
  }

  #work(space: string, at: number, tookMs: number): number {
    const worked = this.#worked.get(space) ?? { ms: 0, at };
    const ms = Math.max(0, worked.ms - (at - worked.at) * this.#part) + tookMs;
    if (ms === 0) this.#worked.delete(space);
    else this.#worked.set(space, { ms: Math.min(ms, 2 * BURST_MS), at });
    if (this.#worked.size > MOST_WORKED) this.#worked.clear();
    return ms;
  }

  /** Whether no other space had a turn lately. */
  isAlone(space: string): boolean {
    const other = this.#last.space === space ? this.#other : this.#last;
    return this.#elapsed() - other.at > this.#othersMs;
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
    const now = this.#elapsed();
    for (const [space, until] of this.#until) if (until <= now) this.#until.delete(space);
    if (this.#until.size === 0) return undefined;
    return Math.max(1, Math.min(...this.#until.values()) - now);
  }
}
