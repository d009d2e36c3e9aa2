/**
 * What stands beside texts, kept once for all forms where it is the same: the session and the speaker of a conversation,
 * a category, a tag. A form has the number of it in place of the text.
 *
 * @module
 */
import { GenerationCache } from "./generation-cache.js";
import type { ValueNumbers } from "./value-numbers.js";

/** Shorter ones take hardly more room than a number. */
const SHORT = 8;
/** Most stand beside what was written a short time ago. */
const MAX_SEEN = 4_096;

/** In SQL: what stands beside the text of the form `h`. */
export const METADATA_OF_H =
  "iif(typeof(h.about) = 'integer', (SELECT value FROM abouts WHERE id = h.about), h.about)";

export class SharedMetadata {
  readonly #numbers: ValueNumbers;
  readonly #seen = new GenerationCache<string, true>(MAX_SEEN);

  /** @param numbers - of the table that holds them */
  constructor(numbers: ValueNumbers) {
    this.#numbers = numbers;
  }

  /** A number from the second time on: most are beside one text only. */
  columnOf(text: string): string | number {
    if (text.length < SHORT) return text;
    if (this.#seen.get(text) === true) return this.#numbers.numberOf(text);
    this.#seen.set(text, true);
    return text;
  }

  clear(): void {
    this.#numbers.clear();
    this.#seen.clear();
  }
}
