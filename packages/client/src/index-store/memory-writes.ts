/**
 * What a branch ever wrote to its memories, read from the index in the order in which it counts.
 *
 * @module
 */
import { memoryKey, type PlacedWrite, type ReadableState } from "@cambium/core";
import { type BranchRow, sharesOf } from "./branch-rows.js";
import { replacesFromText } from "./change-columns.js";
import type { IndexDatabase } from "./index-database.js";
import type { MemoryNumbers } from "./memory-numbers.js";
import { OneKeyHistory } from "./one-key-history.js";
import { VALUE_OF_W } from "./schema.js";

/** The writes of one memory that a branch has, by effective time. */
export interface MemoryWrites {
  readonly state: ReadableState;
  readonly writes: readonly PlacedWrite[];
  /** Effective time of each write. */
  readonly times: Float64Array;
  /** Where the change of each write stands on the branch. */
  readonly positions: readonly number[];
}

/** Memories whose writes are read at once. */
const SLICE = 1_024;

export class MemoryWritesReader {
  readonly #index: IndexDatabase;
  readonly #memories: MemoryNumbers;

  constructor(index: IndexDatabase, memories: MemoryNumbers) {
    this.#index = index;
    this.#memories = memories;
  }

  /** Everything a branch ever wrote to one memory. */
  writesOf(row: BranchRow, memory: number): MemoryWrites {
    return this.#writesOfEach(row, [memory]).get(memory) as MemoryWrites;
  }

  /** The same of many, asked for at once. */
  #writesOfEach(row: BranchRow, memories: readonly number[]): ReadonlyMap<number, MemoryWrites> {
    const found = new Map<number, WriteColumns[]>(memories.map((memory) => [memory, []]));
    const wanted = JSON.stringify(memories);
    for (const { row: level, size } of sharesOf(row)) {
      const rows = this.#index
        .prepare(SELECT_WRITES)
        .all(wanted, level.id, size) as unknown as WriteColumns[];
      for (const columns of rows) found.get(columns[8])?.push(columns);
    }
    return new Map([...found].map(([memory, columns]) => [memory, this.#memoryWrites(memory, columns)]));
  }

  /** The same of any number, a megabyte or two at a time. */
  *writesOfMany(
    row: BranchRow,
    memories: readonly number[],
  ): Generator<readonly [memory: number, writes: MemoryWrites]> {
    for (let start = 0; start < memories.length; start += SLICE)
      yield* this.#writesOfEach(row, memories.slice(start, start + SLICE));
  }

  #memoryWrites(memory: number, found: WriteColumns[]): MemoryWrites {
    found.sort(compareWrites);
    const id = this.#memories.idOf(memory);
    const key = memoryKey(id);
    const writes = found.map(([, , , , counter, value, replaces, actor, , time], index) => ({
      ...{ key, value, counter, id: `${counter}@${actor}`, position: index, time },
      replaces: replacesFromText(replaces, actor),
    }));
    const times = Float64Array.from(found, ([at]) => at);
    const history = new OneKeyHistory(key, writes);
    return { state: { history, times }, writes, times, positions: found.map((columns) => columns[3]) };
  }
}

type WriteColumns = [
  at: number,
  depth: number,
  hash: Uint8Array,
  position: number,
  counter: number,
  value: Uint8Array,
  replaces: string,
  actor: string,
  memory: number,
  time: number,
];

const SELECT_WRITES = `SELECT p.at, c.depth, c.hash, p.position, w.counter, ${VALUE_OF_W}, w.replaces, a.actor, w.memory, c.time
  FROM json_each(?) j CROSS JOIN writes w ON w.memory = j.value CROSS JOIN placed p ON p.change = w.change
  CROSS JOIN changes c ON c.id = w.change CROSS JOIN actors a ON a.id = c.actor
  WHERE p.branch = ? AND p.position < ?`;

/** By effective time, then in an order that fits the graph and is the same on every replica. */
function compareWrites(a: WriteColumns, b: WriteColumns): number {
  return a[0] - b[0] || a[1] - b[1] || Buffer.compare(a[2], b[2]) || a[4] - b[4];
}
