/**
 * A branch's history from the index into memory: for merges, undo, and states that no date names.
 *
 * @module
 */
import {
  type ActorId,
  bytesToHex,
  type Change,
  type ChangeHash,
  History,
  type MemoryId,
  memoryKey,
} from "@cambium/core";
import type { BranchRow } from "./branch-rows.js";
import { replacesFromText, statementFromText } from "./change-columns.js";
import type { IndexDatabase } from "./index-database.js";

const HASH_BYTES = 32;

/**
 * The whole history of a branch, in memory.
 *
 * @param parent - the history of the branch whose beginning this one shares: what is in memory is not read again
 */
export function loadHistory(index: IndexDatabase, row: BranchRow, parent: History | undefined): History {
  const history = new History();
  if (parent !== undefined) history.add(parent.changes.slice(0, row.shared));
  history.add(changesOf(index, row, Number.MAX_SAFE_INTEGER));
  return history;
}

function* changesOf(index: IndexDatabase, level: BranchRow, size: number): Generator<Change> {
  const writes = writesByChange(index, level, size);
  const rows = index
    .prepare(
      `SELECT c.id, c.hash, a.actor, c.seq, c.time, c.deps, c.statement, c.disowned
         FROM placed p CROSS JOIN changes c ON c.id = p.change CROSS JOIN actors a ON a.id = c.actor
         WHERE p.branch = ? AND p.position < ? ORDER BY p.position`,
    )
    .all(level.id, size) as unknown as ChangeColumns[];
  for (const [id, hash, actor, seq, time, deps, statement, disowned] of rows) {
    yield {
      ...{ hash: bytesToHex(hash) as ChangeHash, actor: actor as ActorId, seq, time },
      deps: hashesIn(deps),
      statement: statement === null ? undefined : statementFromText(statement),
      writes: writes.get(id) ?? [],
      disowned: disowned === null ? [] : (JSON.parse(disowned) as string[]),
    };
  }
}

function writesByChange(
  index: IndexDatabase,
  level: BranchRow,
  size: number,
): ReadonlyMap<number, Change["writes"]> {
  const rows = index
    .prepare(
      `SELECT w.change, m.uuid, w.counter, w.value, w.replaces, a.actor
         FROM placed p CROSS JOIN writes w ON w.change = p.change CROSS JOIN memories m ON m.id = w.memory
         CROSS JOIN changes c ON c.id = p.change CROSS JOIN actors a ON a.id = c.actor
         WHERE p.branch = ? AND p.position < ? ORDER BY p.position, w.counter`,
    )
    .all(level.id, size) as unknown as [number, MemoryId, number, Uint8Array, string, string][];
  const byChange = new Map<number, Change["writes"][number][]>();
  for (const [change, memory, counter, value, replaces, actor] of rows) {
    const writes = byChange.get(change) ?? [];
    writes.push({
      ...{ key: memoryKey(memory), value, counter, id: `${counter}@${actor}` },
      replaces: replacesFromText(replaces, actor),
    });
    byChange.set(change, writes);
  }
  return byChange;
}

type ChangeColumns = [
  id: number,
  hash: Uint8Array,
  actor: string,
  seq: number,
  time: number,
  deps: Uint8Array,
  statement: string | null,
  disowned: string | null,
];

function hashesIn(bytes: Uint8Array): readonly ChangeHash[] {
  const hashes: ChangeHash[] = [];
  for (let start = 0; start < bytes.length; start += HASH_BYTES) {
    hashes.push(bytesToHex(bytes.subarray(start, start + HASH_BYTES)) as ChangeHash);
  }
  return hashes;
}
