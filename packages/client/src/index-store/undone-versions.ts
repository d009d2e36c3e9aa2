/**
 * What the undos of a memory took back.
 *
 * @module
 */
import {
  bytesFromHex,
  type ChangeHash,
  decodeReferences,
  type MemoryId,
  type RecordHash,
  type RevertedBy,
} from "@cambium/core";
import { statementFromColumn } from "./change-columns.js";
import type { IndexTables } from "./index-tables.js";
import { hasHash, VALUE_OF_W } from "./schema.js";

/** Reads nothing before it is asked. What a merge brought stands in no change of its own: that is left out. */
export function revertedIn(tables: IndexTables, id: MemoryId): RevertedBy {
  let versions: VersionsOfMemory | undefined;
  return (undo) => {
    versions ??= versionsOf(tables, id);
    const changes = versions.undone.get(undo);
    if (changes === undefined || changes.some((change) => isMerge(tables, change))) return undefined;
    return new Set(changes.flatMap((change) => versions?.written.get(change) ?? []));
  };
}

interface VersionsOfMemory {
  readonly written: ReadonlyMap<ChangeHash, RecordHash>;
  readonly undone: ReadonlyMap<RecordHash, readonly ChangeHash[]>;
}

function versionsOf({ index, memories }: IndexTables, id: MemoryId): VersionsOfMemory {
  const rows = index
    .prepare(
      `SELECT lower(hex(c.hash)), ${VALUE_OF_W}, CASE c.type WHEN 'undo' THEN c.statement END
       FROM writes w CROSS JOIN changes c ON c.id = w.change WHERE w.memory = ?`,
    )
    .all(memories.find(id) ?? null) as unknown as [ChangeHash, Uint8Array, string | null][];
  const written = new Map<ChangeHash, RecordHash>();
  const undone = new Map<RecordHash, readonly ChangeHash[]>();
  for (const [change, value, undo] of rows) {
    const [own] = decodeReferences(value) ?? [];
    if (own === undefined) continue;
    written.set(change, own.record);
    if (undo !== null) undone.set(own.record, statementFromColumn(undo, () => []).of ?? []);
  }
  return { written, undone };
}

function isMerge({ index }: IndexTables, change: ChangeHash): boolean {
  const bytes = bytesFromHex(change);
  const rows = index
    .prepare(`SELECT c.type FROM changes c WHERE ${hasHash("c.hash")}`)
    .all(bytes, bytes) as unknown as [string | null][];
  return rows.some(([type]) => type === "merge");
}
