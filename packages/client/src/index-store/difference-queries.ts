/**
 * Two branches of the index as planning a merge sees them. Only the difference is read: the changes one
 * side lacks, and of the memories they wrote everything both branches know.
 *
 * @module
 */
import {
  type ActorId,
  type BranchPair,
  type BranchState,
  bytesToHex,
  type ChangeHash,
  type MemoryId,
  type MergeOrUndo,
  type MergeSide,
  type MergeStates,
  memoryKey,
  type ReadableState,
} from "@cambium/core";
import { type BranchRow, sharesOf } from "./branch-rows.js";
import { numbersFromColumn, replacesFromText, statementFromColumn } from "./change-columns.js";
import type { IndexTables } from "./index-tables.js";
import { OneKeyHistory } from "./one-key-history.js";
import { VALUE_OF_W, WRITTEN_BY_C } from "./schema.js";

export interface PairRequest {
  readonly source: BranchRow;
  readonly target: BranchRow;
  /** The moment of the merge, in milliseconds since 1970. */
  readonly at: number;
  /** The whole branch in memory: asked only for what a date or a heads' past showed. */
  readonly whole: (row: BranchRow) => BranchState;
}

/** One write of a memory, and since when it counts on each side that has it. */
interface PairedWrite {
  readonly depth: number;
  readonly hash: Uint8Array;
  readonly counter: number;
  readonly value: Uint8Array;
  readonly replaces: readonly string[];
  readonly actor: string;
  /** By its writer's clock. */
  readonly time: number;
  source: number | undefined;
  target: number | undefined;
}

type WriteColumns = [
  memory: number,
  branch: number,
  position: number,
  at: number,
  depth: number,
  hash: Uint8Array,
  counter: number,
  value: Uint8Array,
  replaces: string,
  actor: string,
  time: number,
];

export class IndexedPair implements BranchPair {
  readonly source: BranchPair["source"];
  readonly target: BranchPair["target"];
  readonly arriving: readonly MemoryId[];
  readonly #tables: IndexTables;
  readonly #rows: Readonly<Record<MergeSide, BranchRow>>;
  readonly #whole: PairRequest["whole"];
  /** How many of a row's first changes each side has. */
  readonly #sizes: Readonly<Record<MergeSide, ReadonlyMap<number, number>>>;
  readonly #mergedAt: number;
  readonly #writes: Map<MemoryId, readonly PairedWrite[]>;

  constructor(tables: IndexTables, { source, target, at, whole }: PairRequest) {
    this.source = source.branch;
    this.target = target.branch;
    this.#tables = tables;
    this.#rows = { source, target };
    this.#whole = whole;
    this.#sizes = { source: sizesOf(source), target: sizesOf(target) };
    this.#mergedAt = Math.max(at, tables.changes.lastTime(target));
    const arriving = arrivingMemories(tables, source, target);
    this.#writes = this.#writesOf(arriving);
    this.arriving = [...this.#writes.keys()].sort();
  }

  get isUpToDate(): boolean {
    const { source, target } = this.#rows;
    return [...source.heads].every((head) => this.#tables.changes.placeOf(target, head) !== undefined);
  }

  mergesAndUndos(side: MergeSide): readonly MergeOrUndo[] {
    const found = sharesOf(this.#rows[side]).flatMap(({ row, size }) => {
      const rows = this.#tables.index
        .prepare(
          `SELECT p.position, p.at, c.hash, a.actor, c.deps, c.statement
           FROM changes c CROSS JOIN placed p ON p.change = c.id CROSS JOIN actors a ON a.id = c.actor
           WHERE c.type IN ('merge', 'undo') AND p.branch = ? AND p.position < ?`,
        )
        .all(row.id, size);
      return rows as unknown as [number, number, Uint8Array, ActorId, number | string, string][];
    });
    found.sort(([a], [b]) => a - b);
    return found.map(([, at, hash, actor, deps, statement]) => ({
      ...{ hash: bytesToHex(hash) as ChangeHash, actor, at },
      deps: numbersFromColumn(deps).map((dep) => this.#tables.changes.hashOf(dep)),
      statement: statementFromColumn(statement, () => []),
    }));
  }

  memoriesOf(_side: MergeSide, change: ChangeHash): readonly MemoryId[] {
    const id = this.#tables.changes.idOf(change);
    if (id === undefined) return [];
    return this.#tables.changes
      .memoriesWritten([id])
      .map((memory) => this.#tables.memories.idOf(memory))
      .sort();
  }

  states(id: MemoryId): MergeStates {
    const writes = this.#writes.get(id) ?? this.#writesOf([this.#tables.memories.numberOf(id)]).get(id) ?? [];
    return {
      get source() {
        return stateOf(id, writes, ({ source }) => source); // seldom asked for
      },
      target: stateOf(id, writes, ({ target }) => target),
      union: stateOf(id, writes, ({ target }) => target ?? this.#mergedAt),
    };
  }

  stateAt(side: MergeSide, heads: readonly ChangeHash[]): ReadableState {
    const state = this.#whole(this.#rows[side]);
    return { ...state, set: state.history.ancestors(heads) };
  }

  /** Of these memories every write that either side has. */
  #writesOf(memories: readonly number[]): Map<MemoryId, readonly PairedWrite[]> {
    const { index } = this.#tables;
    const levels = [...new Set([...this.#sizes.source.keys(), ...this.#sizes.target.keys()])];
    const rows = index
      .prepare(
        `SELECT w.memory, p.branch, p.position, p.at, c.depth, c.hash, w.counter, ${VALUE_OF_W}, w.replaces, a.actor, c.time
         FROM json_each(?) m CROSS JOIN writes w ON w.memory = m.value CROSS JOIN placed p ON p.change = w.change
         CROSS JOIN changes c ON c.id = w.change CROSS JOIN actors a ON a.id = c.actor
         WHERE p.branch IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(memories), JSON.stringify(levels)) as unknown as WriteColumns[];
    const byMemory = new Map<number, Map<string, PairedWrite>>();
    for (const columns of rows) this.#take(columns, byMemory);
    return new Map(
      [...byMemory].map(([memory, writes]) => [this.#tables.memories.idOf(memory), [...writes.values()]]),
    );
  }

  #take(columns: WriteColumns, byMemory: Map<number, Map<string, PairedWrite>>): void {
    const [memory, level, position, at, depth, hash, counter, value, replaces, actor, time] = columns;
    const isOn = (side: MergeSide): boolean => position < (this.#sizes[side].get(level) ?? 0);
    if (!isOn("source") && !isOn("target")) return; // on the parent of both, after the forks
    const writes = byMemory.get(memory) ?? new Map<string, PairedWrite>();
    byMemory.set(memory, writes);
    const name = `${counter}@${actor}`;
    const write = writes.get(name) ?? {
      ...{ depth, hash, counter, value, actor, time, source: undefined, target: undefined },
      replaces: replacesFromText(replaces, actor),
    };
    writes.set(name, write);
    if (isOn("source")) write.source = at;
    if (isOn("target")) write.target = at;
  }
}

/** Numbers of the memories that changes wrote which only the source has. What is concealed is left as it is. */
export function arrivingMemories(
  tables: IndexTables,
  source: BranchRow,
  target: BranchRow,
): readonly number[] {
  const [others, memories] = [sharesOf(target), new Set<number>()];
  const common = sizesOf(target);
  const isThere =
    "EXISTS (SELECT 1 FROM placed t WHERE t.change = p.change AND t.branch = ? AND t.position < ?)";
  const lacking = tables.index.prepare(
    `SELECT DISTINCT o.value FROM placed p CROSS JOIN changes c ON c.id = p.change CROSS JOIN ${WRITTEN_BY_C}
     WHERE p.branch = ? AND p.position >= ? AND p.position < ? AND NOT (${others.map(() => isThere).join(" OR ")})`,
  );
  const parameters = others.flatMap((share) => [share.row.id, share.size]);
  for (const { row, size } of sharesOf(source)) {
    const from = Math.min(size, common.get(row.id) ?? 0);
    const found = lacking.all(row.id, from, size, ...parameters) as unknown as [number][];
    for (const [memory] of found) if (!tables.concealed.has(memory)) memories.add(memory);
  }
  return [...memories];
}

const sizesOf = (row: BranchRow): ReadonlyMap<number, number> =>
  new Map(sharesOf(row).map(({ row: level, size }) => [level.id, size]));

/** @param timeOf - since when a write counts; undefined where it does not */
function stateOf(
  id: MemoryId,
  paired: readonly PairedWrite[],
  timeOf: (write: PairedWrite) => number | undefined,
): ReadableState {
  const timed = paired.flatMap((write) => {
    const at = timeOf(write);
    return at === undefined ? [] : [{ write, at }];
  });
  timed.sort(
    (a, b) =>
      a.at - b.at ||
      a.write.depth - b.write.depth ||
      Buffer.compare(a.write.hash, b.write.hash) ||
      a.write.counter - b.write.counter,
  );
  const key = memoryKey(id);
  const writes = timed.map(({ write: { counter, actor, value, replaces, time } }, position) => ({
    ...{ key, value, counter, id: `${counter}@${actor}`, replaces, position, time },
  }));
  return { history: new OneKeyHistory(key, writes), times: Float64Array.from(timed, ({ at }) => at) };
}
