/**
 * A map of what was read, up to a size, in two generations: what is used moves to the younger one, and when that has
 * become half of the whole, it takes the place of the older one.
 *
 * A map from which the oldest entries were deleted one by one would pass by the gaps of all of them each time, and each
 * of its tables, once V8 takes it for something that stays, would hold on to the next one and all that was ever in it.
 *
 * @see D. Tarr, https://github.com/dominictarr/hashlru, for the two generations
 * @module
 */
export class GenerationCache<Key, Value> {
  readonly #maxSize: number;
  readonly #sizeOf: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #youngSize = 0;

  /** @param maxSize - in whatever `sizeOf` counts; what was used last stays up to half of it */
  constructor(maxSize: number, sizeOf: (value: Value) => number = () => 1) {
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** Also where a value that is here has grown. */
  set(key: Key, value: Value): void {
    const size = this.#sizeOf(value);
    if (this.#youngSize + size > this.#maxSize / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngSize = 0;
    }
    this.#young.set(key, value);
    this.#youngSize += size;
  }

  delete(key: Key): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#youngSize = 0;
  }
}
