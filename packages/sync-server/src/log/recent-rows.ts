/**
 * Rows that were looked up lately. Only rows that never change once they are committed are kept here; what a failed
 * transaction has seen is forgotten.
 *
 * @module
 */
export class RecentRows<Value> {
  readonly #most: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  #sinceBegin: string[] = [];

  /** @param most - about so many are kept */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, find: () => Value | undefined): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    const value = old ?? find();
    if (value === undefined) return undefined;
    if (this.#young.size >= this.#most / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
    if (old === undefined) this.#sinceBegin.push(key);
    return value;
  }

  /** A transaction begins. */
  begin(): void {
    this.#sinceBegin = [];
  }

  /** It was undone, or a part of it. */
  undo(): void {
    for (const key of this.#sinceBegin) {
      this.#young.delete(key);
      this.#old.delete(key);
    }
    this.begin();
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.begin();
  }
}
