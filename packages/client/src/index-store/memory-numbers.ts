/**
 * Small numbers in place of memory ids inside the index.
 *
 * @module
 */
import type { MemoryId } from "@cambium/core";
import type { IndexDatabase } from "./index-database.js";

export class MemoryNumbers {
  readonly #index: IndexDatabase;
  readonly #idByNumber = new Map<number, MemoryId>();
  readonly #numberById = new Map<MemoryId, number>();

  constructor(index: IndexDatabase) {
    this.#index = index;
  }

  find(id: MemoryId): number | undefined {
    const known = this.#numberById.get(id);
    if (known !== undefined) return known;
    const row = this.#index.prepare("SELECT id FROM memories WHERE uuid = ?").get(id) as unknown as
      | [number]
      | undefined;
    if (row !== undefined) this.#note(row[0], id);
    return row?.[0];
  }

  /** Gives it one when it has none. */
  numberOf(id: MemoryId): number {
    const known = this.find(id);
    if (known !== undefined) return known;
    const { lastInsertRowid } = this.#index.prepare("INSERT INTO memories (uuid) VALUES (?)").run(id);
    const number = Number(lastInsertRowid);
    this.#note(number, id);
    return number;
  }

  idOf(number: number): MemoryId {
    const known = this.#idByNumber.get(number);
    if (known !== undefined) return known;
    const row = this.#index.prepare("SELECT uuid FROM memories WHERE id = ?").get(number);
    if (row === undefined) throw this.#index.damage();
    const [id] = row as unknown as [MemoryId];
    this.#note(number, id);
    return id;
  }

  /** Those that begin or end so; at most `limit`. */
  matching(part: string, limit: number): readonly { readonly id: MemoryId; readonly number: number }[] {
    const rows = this.#index
      .prepare("SELECT id, uuid FROM memories WHERE uuid GLOB ? OR uuid GLOB ? ORDER BY uuid LIMIT ?")
      .all(`${part}*`, `*${part}`, limit) as unknown as [number, string][];
    return rows.map(([number, uuid]) => ({ number, id: uuid as MemoryId }));
  }

  clear(): void {
    this.#idByNumber.clear();
    this.#numberById.clear();
  }

  #note(number: number, id: MemoryId): void {
    this.#idByNumber.set(number, id);
    this.#numberById.set(id, number);
  }
}
