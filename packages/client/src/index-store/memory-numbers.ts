/**
 * Small numbers in place of memory ids inside the index.
 *
 * @module
 */
import { isUuid, type MemoryId } from "@cambium/core";
import type { IndexDatabase } from "./index-database.js";
import { HAS_ID } from "./schema.js";

/** How an id is kept: in 16 bytes, which sort as the texts do. What other programs used as an id stays a text. */
export type IdColumn = Uint8Array | string;

export const idColumn = (id: string): IdColumn =>
  isUuid(id) ? Buffer.from(id.replaceAll("-", ""), "hex") : id;

export function idFromColumn(column: IdColumn): MemoryId {
  if (typeof column === "string") return column as MemoryId;
  const hex = Buffer.from(column.buffer, column.byteOffset, column.length).toString("hex");
  const [time, more] = [hex.slice(0, 8), hex.slice(8, 12)];
  return `${time}-${more}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as MemoryId;
}

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
    const column = idColumn(id);
    const row = this.#index
      .prepare(`SELECT id FROM memories WHERE ${HAS_ID}`)
      .get(column, column) as unknown as [number] | undefined;
    if (row !== undefined) this.#note(row[0], id);
    return row?.[0];
  }

  /** Gives it one when it has none. */
  numberOf(id: MemoryId): number {
    const known = this.find(id);
    if (known !== undefined) return known;
    const { lastInsertRowid } = this.#index
      .prepare("INSERT INTO memories (uuid) VALUES (?)")
      .run(idColumn(id));
    const number = Number(lastInsertRowid);
    this.#note(number, id);
    return number;
  }

  idOf(number: number): MemoryId {
    const known = this.#idByNumber.get(number);
    if (known !== undefined) return known;
    const row = this.#index.prepare("SELECT uuid FROM memories WHERE id = ?").get(number);
    if (row === undefined) throw this.#index.damage();
    const id = idFromColumn((row as unknown as [IdColumn])[0]);
    this.#note(number, id);
    return id;
  }

  /** Those that begin or end so; at most `limit`. */
  matching(part: string, limit: number): readonly { readonly id: MemoryId; readonly number: number }[] {
    const rows = this.#index
      .prepare(
        `SELECT id, uuid FROM (SELECT id, uuid, ${TEXT_OF_ID} AS text FROM memories)
         WHERE text GLOB ? OR text GLOB ? ORDER BY uuid LIMIT ?`,
      )
      .all(`${part}*`, `*${part}`, limit) as unknown as [number, IdColumn][];
    return rows.map(([number, column]) => ({ number, id: idFromColumn(column) }));
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

/** In SQL: what `idFromColumn` returns. */
const TEXT_OF_ID = `iif(typeof(uuid) = 'text', uuid, lower(${[
  [1, 8],
  [9, 4],
  [13, 4],
  [17, 4],
  [21, 12],
]
  .map(([start, length]) => `substr(hex(uuid), ${start}, ${length})`)
  .join(" || '-' || ")}))`;
