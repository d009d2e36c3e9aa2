/**
 * The history of a single key, which is all that reading one memory needs.
 *
 * @module
 */
import { type KeyHistory, type PlacedWrite, standingWrites } from "@cambium/core";

/** Positions are those of its writes. */
export class OneKeyHistory implements KeyHistory {
  readonly #key: string;
  readonly #writes: readonly PlacedWrite[];

  constructor(key: string, writes: readonly PlacedWrite[]) {
    this.#key = key;
    this.#writes = writes;
  }

  keys(): Iterable<string> {
    return [this.#key];
  }

  writes(key: string): readonly PlacedWrite[] {
    return key === this.#key ? this.#writes : [];
  }

  valuesAt(key: string, set?: Uint8Array): readonly PlacedWrite[] {
    return standingWrites(this.writes(key), set);
  }
}
