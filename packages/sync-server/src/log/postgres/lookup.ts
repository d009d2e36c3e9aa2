/**
 * What a transaction knows, and what it has to read first.
 *
 * @module
 */

/** What was asked has to be read first. */
export class NotRead extends Error {}

type Args = readonly (string | number)[];

/** What is known by some key: a value, or that there is none. */
export class Lookup<Key extends Args, Value> {
  readonly #known = new Map<string, Value | undefined>();
  readonly #wanted = new Map<string, Key>();

  get size(): number {
    return this.#known.size;
  }

  /** @throws {NotRead} */
  get(...key: Key): Value | undefined {
    const name = key.join(" ");
    const value = this.#known.get(name);
    if (value !== undefined || this.#known.has(name)) return value;
    this.#wanted.set(name, key);
    throw new NotRead();
  }

  /** What was asked in vain. */
  wanted(): readonly Key[] {
    return [...this.#wanted.values()];
  }

  want(...key: Key): void {
    const name = key.join(" ");
    if (!this.#known.has(name)) this.#wanted.set(name, key);
  }

  /** What is known already. */
  peek(...key: Key): Value | undefined {
    return this.#known.get(key.join(" "));
  }

  put(value: Value, ...key: Key): void {
    this.#known.set(key.join(" "), value);
  }

  /** @returns forgets it, or knows again what was known */
  replace(value: Value, ...key: Key): () => void {
    const name = key.join(" ");
    const [had, before] = [this.#known.has(name), this.#known.get(name)];
    this.#known.set(name, value);
    return () => (had ? this.#known.set(name, before) : this.#known.delete(name));
  }

  /** What is to be read. Whatever is not put then is not there. */
  take(): readonly Key[] {
    const wanted = [...this.#wanted];
    for (const [name] of wanted) this.#known.set(name, undefined);
    this.#wanted.clear();
    return wanted.map(([, key]) => key);
  }

  /** Others may have stored it since. */
  forgetMissing(): void {
    for (const [name, value] of this.#known) if (value === undefined) this.#known.delete(name);
  }

  clear(): void {
    this.#known.clear();
  }
}
