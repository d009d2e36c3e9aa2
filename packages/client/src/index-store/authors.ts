/**
 * Who wrote forms: a few authors, each kept once.
 *
 * @module
 */
import type { Author } from "@cambium/core";
import type { IndexDatabase } from "./index-database.js";
import { ValueNumbers } from "./value-numbers.js";

export class Authors {
  readonly #numbers: ValueNumbers;
  readonly #byNumber = new Map<number, Author>();

  constructor(index: IndexDatabase) {
    this.#numbers = new ValueNumbers(index, "authors");
  }

  numberOf(author: Author): number {
    return this.#numbers.numberOf(JSON.stringify(author));
  }

  /** As its table holds it. */
  textOf(number: number): string {
    return this.#numbers.valueOf(number);
  }

  authorOf(number: number): Author {
    const known = this.#byNumber.get(number);
    if (known !== undefined) return known;
    const author = Object.freeze(JSON.parse(this.#numbers.valueOf(number)) as Author);
    this.#byNumber.set(number, author);
    return author;
  }

  clear(): void {
    this.#numbers.clear();
    this.#byNumber.clear();
  }
}
