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
  memoryIdOfKey,
  memoryKey,
} from "@cambium/core";
import type { BranchRow } from "./branch-rows.js";
import {
  numbersFromColumn,
  replacesFromText,
  type StatementColumn,
  statementFromColumn,
} from "./change-columns.js";
import type { IndexDatabase } from "./index-database.js";
import { type IdColumn, idFromColumn } from "./memory-numbers.js";
import { hasHash, VALUE_OF_W, WRITES_OF_C } from "./schema.js";

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

const changesOf = (index: IndexDatabase, level: BranchRow, size: number): Iterable<Change> =>
  readChanges(index, {
    ids: "SELECT change AS id, position AS place FROM placed WHERE branch = ? AND position < ?",
    parameters: [level.id, size],
  });

/** Those of these changes that the index keeps, whichever branch they came with. */
export function knownChanges(
  index: IndexDatabase,
  hashes: readonly ChangeHash[],
): ReadonlyMap<ChangeHash, Change> {
  const found = readChanges(index, {
    ids: `SELECT c.id, h.key AS place FROM json_each(?) h CROSS JOIN changes c ON ${hasHash("c.hash", "unhex(h.value)")}`,
    parameters: [JSON.stringify(hashes)],
  });
  return new Map([...found].map((change) => [change.hash, change]));
}

interface Selection {
  /** Selects `id` and `place`: numbers of changes, and their order. */
  readonly ids: string;
  readonly parameters: readonly (number | string)[];
}

function* readChanges(index: IndexDatabase, { ids, parameters }: Selection): Generator<Change> {
  const writes = writesByChange(index, { ids, parameters });
  const rows = index
    .prepare(
      `SELECT c.id, c.hash, a.actor, c.seq, c.time, c.deps, c.statement, c.disowned
         FROM (${ids}) p CROSS JOIN changes c ON c.id = p.id CROSS JOIN actors a ON a.id = c.actor ORDER BY p.place`,
    )
    .all(...parameters) as unknown as ChangeColumns[];
  const hashes = new Map(rows.map(([id, hash]) => [id, bytesToHex(hash) as ChangeHash]));
  const elsewhere = index.prepare("SELECT hash FROM changes WHERE id = ?");
  const hashOf = (id: number): ChangeHash => {
    const [hash] = elsewhere.get(id) as unknown as [Uint8Array];
    return bytesToHex(hash) as ChangeHash;
  };
  for (const [id, , actor, seq, time, deps, statement, disowned] of rows) {
    const written = writes.get(id) ?? [];
    yield {
      ...{ hash: hashes.get(id) ?? hashOf(id), actor: actor as ActorId, seq, time },
      deps: numbersFromColumn(deps).map((dep) => hashes.get(dep) ?? hashOf(dep)),
      statement: statement === null ? undefined : statementFromColumn(statement, () => memoriesIn(written)),
      writes: written,
      disowned: disowned === null ? [] : (JSON.parse(disowned) as string[]),
    };
  }
}

function writesByChange(
  index: IndexDatabase,
  { ids, parameters }: Selection,
): ReadonlyMap<number, Change["writes"]> {
  const rows = index
    .prepare(
      `SELECT w.change, m.uuid, w.counter, ${VALUE_OF_W}, w.replaces, a.actor
         FROM (${ids}) p CROSS JOIN changes c ON c.id = p.id CROSS JOIN ${WRITES_OF_C}
         CROSS JOIN memories m ON m.id = w.memory CROSS JOIN actors a ON a.id = c.actor ORDER BY p.place, w.counter`,
    )
    .all(...parameters) as unknown as [number, IdColumn, number, Uint8Array, string, string][];
  const byChange = new Map<number, Change["writes"][number][]>();
  for (const [change, memory, counter, value, replaces, actor] of rows) {
    const writes = byChange.get(change) ?? [];
    writes.push({
      ...{ key: memoryKey(idFromColumn(memory)), value, counter, id: `${counter}@${actor}` },
      replaces: replacesFromText(replaces, actor),
    });
    byChange.set(change, writes);
  }
  return byChange;
}

const memoriesIn = (writes: Change["writes"]): readonly MemoryId[] =>
  writes.flatMap(({ key }) => memoryIdOfKey(key) ?? []);

type ChangeColumns = [
  id: number,
  hash: Uint8Array,
  actor: string,
  seq: number,
  time: number,
  deps: number | string,
  statement: StatementColumn | null,
  disowned: string | null,
];
