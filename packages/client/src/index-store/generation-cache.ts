/**
 * A map of what was read, up to a size, in generations: what is used moves to the youngest one, and when that has
 * become its part of the whole, another begins and the oldest one goes.
 *
 * A map from which the oldest entries were deleted one by one would pass by the gaps of all of them each time, and each
 * of its tables, once V8 takes it for something that stays, would hold on to the next one and all that was ever in it.
 *
 * @see D. Tarr, https://github.com/dominictarr/hashlru, which does it with two
 * @module
 */

/** What was used last stays up to 7/8 of the size; what is not here is looked for eight times. */
const GENERATIONS = 8;

export class GenerationCache<Key, Value> {
  readonly #partSize: number;
  readonly #sizeOf: (value: Value) => number;
  /** The older ones, the youngest of them first. */
  #older: Map<Key, Value>[] = [];
  #youngest = new Map<Key, Value>();
  #size = 0;

  /** @param maxSize - in whatever `sizeOf` counts */
  constructor(maxSize: number, sizeOf: (value: Value) => number = () => 1) {
    this.#partSize = maxSize / GENERATIONS;
    this.#sizeOf = sizeOf;
  }

  get(key: Key): Value | undefined {
    const young = this.#youngest.get(key);
    if (young !== undefined) return young;
    for (const generation of this.#older) {
      const value = generation.get(key);
      if (value === undefined) continue;
      this.set(key, value);
      return value;
    }
    return undefined;
  }

  /** Also where a value that is here has grown. */
  set(key: Key, value: Value): void {
    const size = this.#sizeOf(value);
    if (this.#size > 0 && this.#size + size > this.#partSize) {
      this.#older = [this.#youngest, ...this.#older].slice(0, GENERATIONS - 1);
      this.#youngest = new Map();
      this.#size = 0;
    }
    this.#youngest.set(key, value);
    this.#size += size;
  }

  delete(key: Key): void {
    this.#youngest.delete(key);
    for (const generation of this.#older) generation.delete(key);
  }

  clear(): void {
    this.#older = [];
    this.#youngest = new Map();
    this.#size = 0;
  }
}
