/**
 * Who wrote forms: a few authors, each kept once.
 *
 * @module
 */
import type { Author } from "@cambium/core";
import type { IndexDatabase } from "./index-database.js";

export class Authors {
  readonly #index: IndexDatabase;
  readonly #byNumber = new Map<number, Author>();
  readonly #numbers = new Map<string, number>();

  constructor(index: IndexDatabase) {
    this.#index = index;
  }

  numberOf(author: Author): number {
    const text = JSON.stringify(author);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#index.prepare("INSERT OR IGNORE INTO authors (author) VALUES (?)").run(text);
    const row = this.#index.prepare("SELECT id FROM authors WHERE author = ?").get(text);
    const [number] = row as unknown as [number];
    this.#numbers.set(text, number);
    return number;
  }

  authorOf(number: number): Author {
    const known = this.#byNumber.get(number);
    if (known !== undefined) return known;
    const row = this.#index.prepare("SELECT author FROM authors WHERE id = ?").get(number);
    const author = JSON.parse((row as unknown as [string])[0]) as Author;
    this.#byNumber.set(number, author);
    return author;
  }

  clear(): void {
    this.#byNumber.clear();
    this.#numbers.clear();
  }
}
