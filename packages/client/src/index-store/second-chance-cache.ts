/**
 * A map of what was read, up to a size: the first goes, unless it was used since it came or was last spared.
 *
 * @see "Second chance" in A. S. Tanenbaum, Modern Operating Systems, on page replacement
 * @module
 */

/** What an entry says of itself. */
export interface Kept {
  size: number;
  isUsed: boolean;
}

export class SecondChanceCache<Key, Value extends Kept> {
  readonly #maxSize: number;
  readonly #entries = new Map<Key, Value>();
  #size = 0;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) value.isUsed = true;
    return value;
  }

  /** @param key - one that is not here */
  add(key: Key, value: Value): void {
    this.#entries.set(key, value);
    this.#size += value.size;
    this.#makeRoom(key);
  }

  /** Notes how large an entry has become. It may have been dropped. */
  resize(key: Key, value: Value, size: number): void {
    if (this.#entries.get(key) === value) this.#size += size - value.size;
    value.size = size;
  }

  delete(key: Key): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  #makeRoom(newest: Key): void {
    if (this.#size <= this.#maxSize) return;
    for (const [oldest, value] of this.#entries) {
      if (this.#size <= this.#maxSize || oldest === newest) break;
      this.delete(oldest);
      if (value.isUsed) {
        value.isUsed = false;
        this.#entries.set(oldest, value);
        this.#size += value.size;
      }
    }
  }
}
