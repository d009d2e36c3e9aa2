/**
 * The nearest few of many, without sorting the many.
 *
 * @module
 */
import type { ContentKey } from "./content-key.js";

export interface Nearest {
  readonly key: ContentKey;
  /** Cosine: 1 for the same direction, 0 for none in common. */
  readonly similarity: number;
}

/** Keeps the `limit` most similar, most similar first; of equals the smaller key comes first. */
export class TopList {
  readonly #limit: number;
  readonly #nearest: Nearest[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Says whether a similarity could enter, so that the many need no object of their own. */
  takes(similarity: number): boolean {
    const last = this.#nearest.at(-1);
    return this.#nearest.length < this.#limit || (last !== undefined && similarity >= last.similarity);
  }

  /** A key offered twice counts once. */
  offer(entry: Nearest): void {
    if (this.#limit < 1 || this.#nearest.some(({ key }) => key === entry.key)) return;
    const after = this.#nearest.findIndex((other) => isNearer(entry, other));
    this.#nearest.splice(after === -1 ? this.#nearest.length : after, 0, entry);
    if (this.#nearest.length > this.#limit) this.#nearest.pop();
  }

  toArray(): readonly Nearest[] {
    return this.#nearest;
  }
}

const isNearer = (a: Nearest, b: Nearest): boolean =>
  a.similarity > b.similarity || (a.similarity === b.similarity && a.key < b.key);
