/**
 * How often each memory was recalled, as the uses documents said when they were last read.
 *
 * @module
 */
import type { ChangeHash, DocumentId, MemoryId, Usage } from "@cambium/core";
import type { CarriedUsage, CarriedUsageStore } from "../usage/carried-usage.js";
import type { CachedUsage, UsageCache } from "../usage/usage-ledger.js";
import type { IndexTables } from "./index-tables.js";
import { type IdColumn, idFromColumn } from "./memory-numbers.js";

/** The note under which what was not written yet is kept. */
const CARRIED = "carried uses";

type CarriedNote = Omit<CarriedUsage, "uses"> & { readonly uses: readonly (readonly [MemoryId, Usage])[] };

export class UsageTable implements UsageCache, CarriedUsageStore {
  readonly #tables: IndexTables;
  #sums: ReadonlyMap<MemoryId, number> | undefined;

  constructor(tables: IndexTables) {
    this.#tables = tables;
  }

  read(document: DocumentId): CachedUsage | undefined {
    const { index, memories } = this.#tables;
    const row = index.prepare("SELECT heads FROM uses_read WHERE document = ?").get(document);
    if (row === undefined) return undefined;
    const rows = index
      .prepare("SELECT memory, count, last_at FROM uses WHERE document = ?")
      .all(document) as unknown as [number, number, number][];
    return {
      heads: JSON.parse((row as unknown as [string])[0]) as ChangeHash[],
      uses: rows.map(([memory, count, lastUsedAt]) => [memories.idOf(memory), { count, lastUsedAt }]),
    };
  }

  write(document: DocumentId, heads: readonly ChangeHash[], changed: ReadonlyMap<MemoryId, Usage>): void {
    const { index, memories } = this.#tables;
    this.#sums = undefined;
    index.begin();
    index
      .prepare("INSERT OR REPLACE INTO uses_read (document, heads) VALUES (?, ?)")
      .run(document, JSON.stringify(heads));
    const put = index.prepare(
      "INSERT OR REPLACE INTO uses (memory, document, count, last_at) VALUES (?, ?, ?, ?)",
    );
    for (const [id, { count, lastUsedAt }] of changed)
      put.run(memories.numberOf(id), document, count, lastUsedAt);
  }

  forget(document: DocumentId): void {
    const { index } = this.#tables;
    this.#sums = undefined;
    index.begin();
    index.prepare("DELETE FROM uses WHERE document = ?").run(document);
    index.prepare("DELETE FROM uses_read WHERE document = ?").run(document);
  }

  readCarried(): CarriedUsage | undefined {
    const { index } = this.#tables;
    try {
      const row = index.prepare("SELECT value FROM notes WHERE key = ?").get(CARRIED);
      if (row === undefined) return undefined;
      const { uses, ...metadata } = JSON.parse((row as unknown as [string])[0]) as CarriedNote;
      return { ...metadata, uses: new Map(uses) };
    } catch (error) {
      if (!index.isDamaged) throw error;
      return undefined; // lost with the rest
    }
  }

  writeCarried(carried: CarriedUsage | undefined): void {
    const { index } = this.#tables;
    index.begin();
    index.prepare("DELETE FROM notes WHERE key = ?").run(CARRIED);
    if (carried === undefined) return;
    const note: CarriedNote = { ...carried, uses: [...carried.uses] };
    index.prepare("INSERT INTO notes (key, value) VALUES (?, ?)").run(CARRIED, JSON.stringify(note));
  }

  /** Summed over what was read so far; what is noted and not written yet is not in it. */
  sumOf(id: MemoryId): number {
    this.#sums ??= this.#readSums();
    return this.#sums.get(id) ?? 0;
  }

  /** A recall asks for hundreds. */
  #readSums(): ReadonlyMap<MemoryId, number> {
    const rows = this.#tables.index
      .prepare(
        "SELECT m.uuid, sum(u.count) FROM uses u CROSS JOIN memories m ON m.id = u.memory GROUP BY u.memory",
      )
      .all() as unknown as [IdColumn, number][];
    return new Map(rows.map(([id, sum]) => [idFromColumn(id), sum]));
  }
}
