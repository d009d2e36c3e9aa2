/**
 * Which memories certain changes wrote: by the change itself, or by when it counts.
 *
 * @module
 */
import {
  bytesFromHex,
  type ChangeHash,
  decodeReferences,
  type MemoryId,
  memoryKey,
  type RecordHash,
} from "@cambium/core";
import { type BranchRow, sharesOf } from "./branch-rows.js";
import { type StatementColumn, typeFromColumn } from "./change-columns.js";
import type { IndexTables } from "./index-tables.js";
import { type IdColumn, idFromColumn } from "./memory-numbers.js";
import { hasHash, startOfHash, VALUE_OF_W, WRITES_OF_C, WRITTEN_BY_C } from "./schema.js";
import type { IndexedState } from "./state-queries.js";

const HASH_DIGITS = 64;

export interface WrittenRecord {
  readonly memory: MemoryId;
  readonly record: RecordHash;
}

/** Effective times in milliseconds since 1970, both included. */
export interface TimeRange {
  readonly since: number;
  readonly until: number;
}

/** The changes written on a branch whose hash begins like this: none below 4 digits. */
export function changesNamed(
  { index, changes }: IndexTables,
  row: BranchRow,
  prefix: string,
): readonly { readonly hash: ChangeHash; readonly type: string }[] {
  if (!/^[0-9a-f]{4,64}$/.test(prefix)) return [];
  const hashes = ["0", "f"].map((digit) => bytesFromHex(prefix.padEnd(HASH_DIGITS, digit)));
  const rows = index
    .prepare(
      `SELECT lower(hex(c.hash)), c.statement FROM changes c CROSS JOIN actors a ON a.id = c.actor
       WHERE ${startOfHash("c.hash")} BETWEEN ${startOfHash("?")} AND ${startOfHash("?")} AND c.hash BETWEEN ? AND ?
       AND c.statement IS NOT NULL AND substr(a.actor, 1, ?) = ?`,
    )
    .all(...hashes, ...hashes, row.branch.length, row.branch) as unknown as [ChangeHash, StatementColumn][];
  return rows
    .filter(([hash]) => changes.placeOf(row, hash) !== undefined)
    .map(([hash, statement]) => ({ hash, type: typeFromColumn(statement) }));
}

/** The changes written on a branch as parts of one operation. */
export function changesOfOperation(
  { index, changes }: IndexTables,
  row: BranchRow,
  operation: string,
): readonly { readonly hash: ChangeHash; readonly type: string }[] {
  const rows = index
    .prepare(
      `SELECT lower(hex(c.hash)), c.statement FROM changes c CROSS JOIN actors a ON a.id = c.actor
       WHERE instr(c.statement, ?) > 0 AND substr(a.actor, 1, ?) = ? ORDER BY c.depth DESC, c.hash DESC`,
    )
    .all(`"operation":"${operation}"`, row.branch.length, row.branch) as unknown as [
    ChangeHash,
    StatementColumn,
  ][];
  return rows
    .filter(([hash]) => changes.placeOf(row, hash) !== undefined)
    .map(([hash, statement]) => ({ hash, type: typeFromColumn(statement) }));
}

/** What a change wrote down, as far as it had the right to, and of what is not concealed. */
export function recordsWritten(
  { index, concealed }: IndexTables,
  change: ChangeHash,
): readonly WrittenRecord[] {
  const bytes = bytesFromHex(change);
  const rows = index
    .prepare(
      `SELECT m.uuid, ${VALUE_OF_W}, c.disowned FROM changes c CROSS JOIN ${WRITES_OF_C}
       CROSS JOIN memories m ON m.id = w.memory WHERE ${hasHash("c.hash")} ORDER BY m.uuid`,
    )
    .all(bytes, bytes) as unknown as [IdColumn, Uint8Array, string | null][];
  return rows.flatMap(([column, value, disowned]) => {
    const memory = idFromColumn(column);
    const [own] = decodeReferences(value) ?? [];
    const isTheirs = disowned !== null && (JSON.parse(disowned) as string[]).includes(memoryKey(memory));
    return own === undefined || isTheirs || concealed.hasId(memory) ? [] : [{ memory, record: own.record }];
  });
}

/** The memories that a state holds writes of from that time, and that are not concealed. */
export function memoriesWritten(
  { index, concealed }: IndexTables,
  { row, levels, includes }: IndexedState,
  { since, until }: TimeRange,
): readonly MemoryId[] {
  const latest = Math.min(until, levels[0]?.until ?? until);
  const parameters: number[] = [];
  const selects = sharesOf(row).map(({ row: level, size }) => {
    parameters.push(level.id, since, latest, size);
    return `SELECT p.change, p.position FROM placed p
      WHERE p.branch = ? AND p.at >= ? AND p.at <= ? AND p.position < ?`;
  });
  const rows = index
    .prepare(
      `SELECT m.uuid, p.position FROM (${selects.join(" UNION ALL ")}) p
       CROSS JOIN changes c ON c.id = p.change CROSS JOIN ${WRITTEN_BY_C} CROSS JOIN memories m ON m.id = o.value`,
    )
    .all(...parameters) as unknown as [IdColumn, number][];
  const held = rows.filter(([, position]) => includes?.(position) ?? true);
  return [...new Set(held.map(([memory]) => idFromColumn(memory)))]
    .filter((memory) => !concealed.hasId(memory))
    .sort();
}
