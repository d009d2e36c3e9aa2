/**
 * The changes of branches that this replica made, as the index knows them.
 *
 * @module
 */
import {
  bytesToHex,
  type ChangeHash,
  type ChangeStatement,
  type MemoryId,
  type ReplicaId,
} from "@cambium/core";
import { type StatementColumn, statementFromColumn } from "../index-store/change-columns.js";
import type { IndexTables } from "../index-store/index-tables.js";

export interface OwnChange {
  readonly actor: string;
  readonly seq: number;
  readonly hash: ChangeHash;
  /** Milliseconds since 1970, as written. */
  readonly time: number;
  readonly statement: ChangeStatement;
}

/** An actor id is document[16] ‖ replica[16] ‖ epoch[2], in hexadecimal. */
const REPLICA_AT = 33;
const REPLICA_DIGITS = 32;

/** In the order in which they were made. The branches have to be in step: see `SpaceIndex.prepare`. */
export function ownChanges({ index, changes }: IndexTables, replica: ReplicaId): readonly OwnChange[] {
  const rows = index
    .prepare(
      `SELECT c.id, a.actor, c.seq, c.hash, c.time, c.statement FROM actors a CROSS JOIN changes c ON c.actor = a.id
       WHERE substr(a.actor, ${REPLICA_AT}, ${REPLICA_DIGITS}) = ? AND c.statement IS NOT NULL
       ORDER BY c.time, c.actor, c.seq`,
    )
    .all(replica.replaceAll("-", "")) as unknown as [
    number,
    string,
    number,
    Uint8Array,
    number,
    StatementColumn,
  ][];
  return rows.map(([id, actor, seq, hash, time, statement]) => ({
    ...{ actor, seq, time, hash: bytesToHex(hash) as ChangeHash },
    statement: statementFromColumn(statement, () => changes.memoriesWrittenBy(id)),
  }));
}

/** Changes of any replica that wrote a memory. */
export function changesOf({ index, memories }: IndexTables, id: string): ReadonlySet<string> {
  const memory = memories.find(id as MemoryId);
  if (memory === undefined) return new Set();
  const rows = index
    .prepare(
      "SELECT DISTINCT c.hash FROM writes w CROSS JOIN changes c ON c.id = w.change WHERE w.memory = ?",
    )
    .all(memory) as unknown as [Uint8Array][];
  return new Set(rows.map(([hash]) => bytesToHex(hash)));
}
