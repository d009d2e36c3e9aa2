/**
 * Numbers that look random and are the same in each run.
 *
 * @module
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to just below the limit (mulberry32). */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** In place. */
  shuffle(numbers: Uint32Array): void {
    for (let at = numbers.length - 1; at > 0; at -= 1) {
      const other = this.below(at + 1);
      const one = numbers[at] as number;
      numbers[at] = numbers[other] as number;
      numbers[other] = one;
    }
  }
}
