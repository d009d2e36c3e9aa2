/**
 * Whose turn it is: turns go round the spaces, then round the lines of a space. Whoever sends much waits for itself.
 *
 * @module
 */
export class FairQueue<Item> {
  /** By space, then by line; what had its turn goes to the end. */
  readonly #spaces = new Map<string, Map<object, Item[]>>();

  get isEmpty(): boolean {
    return this.#spaces.size === 0;
  }

  /** Those of which something waits. */
  get spaces(): readonly string[] {
    return [...this.#spaces.keys()];
  }

  add(space: string, line: object, item: Item): void {
    const lines = this.#spaces.get(space) ?? new Map<object, Item[]>();
    this.#spaces.set(space, lines);
    const items = lines.get(line);
    if (items === undefined) lines.set(line, [item]);
    else items.push(item);
  }

  /** It comes before all others of its line. */
  putBack(space: string, line: object, item: Item): void {
    const lines = this.#spaces.get(space) ?? new Map<object, Item[]>();
    this.#spaces.set(space, lines);
    lines.set(line, [item, ...(lines.get(line) ?? [])]);
  }

  /**
   * The next one. Those that may not come now keep their places.
   *
   * @param mayCome - asked for the first of each line
   * @returns undefined when none may come
   */
  take(mayCome: (item: Item, space: string) => boolean = () => true): Item | undefined {
    for (const [space, lines] of this.#spaces) {
      for (const [line, items] of lines) {
        if (!mayCome(items[0] as Item, space)) continue;
        const item = items.shift();
        lines.delete(line);
        if (items.length > 0) lines.set(line, items);
        this.#spaces.delete(space);
        if (lines.size > 0) this.#spaces.set(space, lines);
        return item;
      }
    }
    return undefined;
  }
}
