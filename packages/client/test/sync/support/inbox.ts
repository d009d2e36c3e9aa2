/** What arrives, in order, for a test that waits for it instead of sleeping. */
export class Inbox<Item> {
  readonly #items: Item[] = [];
  readonly #readers: ((item: Item) => void)[] = [];

  put(item: Item): void {
    const reader = this.#readers.shift();
    if (reader === undefined) this.#items.push(item);
    else reader(item);
  }

  next(): Promise<Item> {
    if (this.#items.length > 0) return Promise.resolve(this.#items.shift() as Item);
    const { promise, resolve } = Promise.withResolvers<Item>();
    this.#readers.push(resolve);
    return promise;
  }

  /** Drops everything before the first that matches. */
  async until(matches: (item: Item) => boolean): Promise<Item> {
    for (;;) {
      const item = await this.next();
      if (matches(item)) return item;
    }
  }

  get size(): number {
    return this.#items.length;
  }
}
