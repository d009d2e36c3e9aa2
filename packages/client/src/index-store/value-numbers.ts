/**
 * Small numbers in place of values that many rows share.
 *
 * @module
 */
import type { IndexDatabase } from "./index-database.js";

/** Each a table of numbers and values. */
export type ValueTable = "abouts" | "authors" | "labels" | "packs" | "sessions";

export class ValueNumbers {
  readonly #index: IndexDatabase;
  readonly #table: ValueTable;
  readonly #numbers = new Map<string, number>();
  readonly #values = new Map<number, string>();

  constructor(index: IndexDatabase, table: ValueTable) {
    this.#index = index;
    this.#table = table;
  }

  /** Gives it one when it has none. */
  numberOf(value: string): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.#index.prepare(`INSERT OR IGNORE INTO ${this.#table} (value) VALUES (?)`).run(value);
    const row = this.#index.prepare(`SELECT id FROM ${this.#table} WHERE value = ?`).get(value);
    const [number] = row as unknown as [number];
    this.#note(number, value);
    return number;
  }

  /** @param number - one that was given */
  valueOf(number: number): string {
    const known = this.#values.get(number);
    if (known !== undefined) return known;
    const row = this.#index.prepare(`SELECT value FROM ${this.#table} WHERE id = ?`).get(number);
    if (row === undefined) throw this.#index.damage();
    const [value] = row as unknown as [string];
    this.#note(number, value);
    return value;
  }

  clear(): void {
    this.#numbers.clear();
    this.#values.clear();
  }

  #note(number: number, value: string): void {
    this.#numbers.set(value, number);
    this.#values.set(number, value);
  }
}
