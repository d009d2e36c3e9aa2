/**
 * Spans: what a branch shows of each memory, from one effective time until the next. A fork has rows of its
 * own only for memories in which it differs from the branch it was forked from.
 *
 * @module
 */
import {
  type Memory,
  type MemoryId,
  openNow,
  type RecordReading,
  type Reference,
  showing,
} from "@cambium/core";
import { type BranchRow, type Level, levelsOf, NOT_NEARER } from "./branch-rows.js";
import type { ConcealedMemories } from "./concealed-memories.js";
import type { IndexDatabase } from "./index-database.js";
import type { MemoryNumbers } from "./memory-numbers.js";
import type { MemoryWrites } from "./memory-writes.js";
import { OPEN_END, OPEN_END_SQL } from "./schema.js";
import type { Extension } from "./single-lines.js";
import { LISTINGS, type SnapshotId } from "./snapshot-columns.js";
import type { ShownSnapshot, SnapshotStore } from "./snapshot-store.js";

export interface Shown extends ShownSnapshot {
  readonly memory: number;
}

/** Finds a record that is at hand, or says why there is none. */
export type FindRecord = (reference: Reference, memory: MemoryId) => RecordReading;

interface Interval {
  readonly from: number;
  readonly snapshot: SnapshotId | undefined;
  readonly version: number;
  readonly versions: number;
  readonly shownAt: number;
  readonly isDeleted: boolean;
  readonly conflicts: number;
}

export interface IntervalUpdate {
  readonly memory: number;
  /** Effective time. */
  readonly from: number;
  /** All of the memory on the branch. */
  readonly writes: MemoryWrites;
}

/** Effective time. */
type End = number | typeof OPEN_END;

/** A row that shows nothing, and says that the memory is not to be looked for on the parent. */
const HIDES_PARENT = -1;

export class IntervalStore {
  readonly #index: IndexDatabase;
  readonly #memories: MemoryNumbers;
  readonly #snapshots: SnapshotStore;
  readonly #concealed: ConcealedMemories;
  /** Told from when on the intervals of a branch are about to be others. */
  onChange: ((row: BranchRow, from: number) => void) | undefined;
  /** Forms whose standing may have changed. */
  #touched = new Set<SnapshotId>();

  constructor(
    index: IndexDatabase,
    memories: MemoryNumbers,
    snapshots: SnapshotStore,
    concealed: ConcealedMemories,
  ) {
    this.#index = index;
    this.#memories = memories;
    this.#snapshots = snapshots;
    this.#concealed = concealed;
  }

  /** Adds the intervals of new versions to a memory whose history is a single line, on a branch that shares nothing. */
  append(row: BranchRow, memory: number, { previous, links }: Extension): void {
    const [first] = links;
    if (first === undefined || this.#concealed.has(memory)) return;
    this.onChange?.(row, first.at);
    if (previous !== undefined) {
      this.#end(row, memory, previous.at, first.at);
      this.#touched.add(previous.snapshot);
    }
    for (const [index, { record, snapshot, at, version }] of links.entries()) {
      const interval: Interval = {
        ...{ from: at, snapshot, version, versions: version, shownAt: record.at },
        ...{ isDeleted: isHidden(record.fields.deleted, record.erased), conflicts: 0 },
      };
      this.#insert(row, memory, interval, links[index + 1]?.at ?? OPEN_END);
      this.#touched.add(snapshot);
    }
  }

  /**
   * Makes the intervals of a memory again from an effective time on.
   *
   * Everything is read before anything is written, so that `find` may give up by throwing.
   */
  updateIntervals(row: BranchRow, { memory, from, writes }: IntervalUpdate, find: FindRecord): void {
    const intervals = this.#intervalsFrom(writes, memory, from, find);
    this.onChange?.(row, from);
    for (const child of row.children) if (child.sharedUntil >= from) this.detach(child, memory);
    this.detach(row, memory);
    this.#cut(row, memory, from, intervals[0]?.from ?? OPEN_END);
    for (const [index, interval] of intervals.entries()) {
      this.#insert(row, memory, interval, intervals[index + 1]?.from ?? OPEN_END);
      if (interval.snapshot !== undefined) this.#touched.add(interval.snapshot);
    }
    this.#hideParentUnlessShown(row, memory);
  }

  #intervalsFrom(
    { state, times }: MemoryWrites,
    memory: number,
    from: number,
    find: FindRecord,
  ): readonly Interval[] {
    if (this.#concealed.has(memory)) return [];
    const id = this.#memories.idOf(memory);
    const boundaries = [...new Set(times)].filter((at) => at >= from);
    return boundaries.map((at) => {
      const isAll = at === times.at(-1);
      const set = isAll ? undefined : Uint8Array.from(times, (time) => (time <= at ? 1 : 0));
      const shown = openNow(showing({ ...state, set }, id), (reference) => find(reference, id));
      return { from: at, ...this.#describe(shown) };
    });
  }

  #describe(shown: Memory | undefined): Omit<Interval, "from"> {
    if (shown === undefined) {
      return { snapshot: undefined, version: 0, versions: 0, shownAt: 0, isDeleted: false, conflicts: 0 };
    }
    return {
      snapshot: this.#snapshotOf(shown),
      ...{ version: shown.version, versions: shown.versions, shownAt: shown.at },
      ...{ isDeleted: isHidden(shown.deleted, shown.erased), conflicts: shown.conflicts.length },
    };
  }

  /** The record when it says all of it; otherwise a form of its own. */
  #snapshotOf(shown: Memory): SnapshotId {
    return this.#snapshots.recordWithContent(shown) ?? this.#snapshots.addMerged(shown);
  }

  /** Gives a fork rows of its own for a memory, the same as it shares so far. */
  detach(row: BranchRow, memory: number): void {
    if (row.parent === undefined || this.#hasRows(row, memory)) return;
    for (const { row: level, until } of levelsOf(row).slice(1)) {
      if (!this.#hasRows(level, memory)) continue;
      this.#index
        .prepare(
          `INSERT INTO spans SELECT ?, memory, from_at, iif(to_at > ?, ${OPEN_END_SQL}, to_at), form, version, versions,
           shown_at, deleted, conflicts FROM spans WHERE branch = ? AND memory = ? AND from_at <= ?`,
        )
        .run(row.id, until, level.id, memory, until);
      break;
    }
    this.#hideParentUnlessShown(row, memory);
  }

  /** A fork without rows for a memory shows what its parent does. */
  #hideParentUnlessShown(row: BranchRow, memory: number): void {
    if (row.parent === undefined || this.#hasRows(row, memory)) return;
    this.#index
      .prepare("INSERT INTO spans VALUES (?, ?, ?, ?, NULL, 0, 0, 0, 0, 0)")
      .run(row.id, memory, HIDES_PARENT, HIDES_PARENT);
  }

  /** Those of the forms that one of the levels has shown at some time. */
  everShown(levels: readonly Level[], snapshots: readonly SnapshotId[]): ReadonlySet<SnapshotId> {
    const wanted = JSON.stringify(snapshots);
    const rows = levels.flatMap(
      ({ row, until }) =>
        this.#index
          .prepare(
            `SELECT DISTINCT s.form FROM (${MEMORIES_OF_FORMS}) m CROSS JOIN spans s ON s.memory = m.memory
             WHERE s.branch = ? AND s.from_at <= ? AND s.form IN (SELECT value FROM json_each(?))`,
          )
          .all(wanted, row.id, until, wanted) as unknown as [SnapshotId][],
    );
    return new Set(rows.map(([snapshot]) => snapshot));
  }

  #hasRows(row: BranchRow, memory: number): boolean {
    const sql = "SELECT 1 FROM spans WHERE branch = ? AND memory = ? LIMIT 1";
    return this.#index.prepare(sql).get(row.id, memory) !== undefined;
  }

  /** Removes what begins at or after `from`; what stands before lasts until `next`, which may be later. */
  #cut(row: BranchRow, memory: number, from: number, next: End): void {
    const ended = this.#index
      .prepare("SELECT from_at, form FROM spans WHERE branch = ? AND memory = ? AND to_at >= ?")
      .all(row.id, memory, from) as unknown as [number, SnapshotId | null][];
    // One row a statement: before one that may touch several, FTS5 writes out everything it has gathered.
    const remove = this.#index.prepare("DELETE FROM spans WHERE branch = ? AND memory = ? AND from_at = ?");
    for (const [began, snapshot] of ended) {
      if (began >= from) remove.run(row.id, memory, began);
      else this.#end(row, memory, began, next);
      if (snapshot !== null) this.#touched.add(snapshot);
    }
  }

  #end(row: BranchRow, memory: number, from: number, to: End): void {
    this.#index
      .prepare("UPDATE spans SET to_at = ? WHERE branch = ? AND memory = ? AND from_at = ?")
      .run(to, row.id, memory, from);
  }

  #insert(row: BranchRow, memory: number, interval: Interval, to: End): void {
    const { from, snapshot, version, versions, shownAt, isDeleted, conflicts } = interval;
    this.#index
      .prepare("INSERT INTO spans VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(
        row.id,
        memory,
        from,
        to,
        snapshot ?? null,
        version,
        versions,
        shownAt === from ? null : shownAt,
        isDeleted ? 1 : 0,
        conflicts,
      );
  }

  /** Forms that came to be shown, or ceased to be, since the last call. */
  takeTouched(): ReadonlySet<SnapshotId> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  /** Removes all intervals of a branch. */
  removeAll(row: BranchRow): void {
    this.onChange?.(row, Number.NEGATIVE_INFINITY);
    const removed = this.#index
      .prepare("DELETE FROM spans WHERE branch = ? RETURNING form")
      .all(row.id) as unknown as [SnapshotId | null][];
    for (const [snapshot] of removed) if (snapshot !== null) this.#touched.add(snapshot);
  }

  /** Whether the branch shows a form of the memory now. */
  showsNow(row: BranchRow | undefined, memory: number, snapshot: SnapshotId): boolean {
    if (row === undefined) return false;
    const last = this.#index
      .prepare("SELECT form, to_at FROM spans WHERE branch = ? AND memory = ? ORDER BY from_at DESC LIMIT 1")
      .get(row.id, memory) as unknown as [SnapshotId | null, End] | undefined;
    return last?.[0] === snapshot && last[1] === OPEN_END;
  }

  /** Whether a form of the memory shows in any state of any branch. */
  showsEver(memory: number, snapshot: SnapshotId): boolean {
    const found = this.#index
      .prepare(
        "SELECT 1 FROM branches b CROSS JOIN spans s ON s.branch = b.id AND s.memory = ? WHERE s.form = ? LIMIT 1",
      )
      .get(memory, snapshot);
    return found !== undefined;
  }

  /** Forms that are on another list than what intervals say of them. @param main - the branch that says what is now */
  listedElsewhere(main: BranchRow | undefined): readonly SnapshotId[] {
    const rows = this.#index
      .prepare(
        `SELECT f.id FROM forms f LEFT JOIN
           (SELECT form, max(branch = ? AND to_at = ${OPEN_END_SQL}) AS now FROM spans WHERE form IS NOT NULL GROUP BY form) s
           ON s.form = f.id
         WHERE f.listed != iif(s.now = 1, ${LISTINGS.indexOf("now")}, ${LISTINGS.indexOf("past")})`,
      )
      .all(main?.id ?? -1) as unknown as [SnapshotId][];
    return rows.map(([snapshot]) => snapshot);
  }

  /** The same for many memories, in their order: fastest where that is the order of their numbers. */
  shownOf(levels: readonly Level[], memories: readonly number[]): readonly (Shown | undefined)[] {
    const [shown] = this.#shownAtTimes([levels], memories);
    return shown ?? [];
  }

  /** The same in two states. Of one branch, they are looked up together. */
  shownInBoth(
    one: readonly Level[],
    other: readonly Level[],
    memories: readonly number[],
  ): readonly (readonly (Shown | undefined)[])[] {
    const isOneBranch =
      one.length === other.length && one.every(({ row }, index) => row === other[index]?.row);
    return isOneBranch
      ? this.#shownAtTimes([one, other], memories)
      : [this.shownOf(one, memories), this.shownOf(other, memories)];
  }

  /** @param times - levels of the same branches, for each time */
  #shownAtTimes(
    times: readonly (readonly Level[])[],
    memories: readonly number[],
  ): readonly (readonly (Shown | undefined)[])[] {
    const { sql, parameters } = holdingAtTimes(times, memories);
    const columns = this.#index.prepare(sql).get(...parameters) as unknown as readonly string[];
    const [places, snapshots, version, versions, ...holds] = columns.map((text) =>
      JSON.parse(text),
    ) as Columns;
    const shown = times.map(() => memories.map((): Shown | undefined => undefined));
    for (const [row, place] of places.entries()) {
      const one: Shown = {
        ...{ memory: memories[place] as number, snapshot: snapshots[row] ?? undefined },
        ...{ version: version[row] as number, versions: versions[row] as number },
      };
      for (const [time, atTime] of shown.entries()) if (holds[time]?.[row] === 1) atTime[place] = one;
    }
    return shown;
  }

  /** What one memory is at a state; undefined when it is not there. */
  shownAt(levels: readonly Level[], memory: number): Shown | undefined {
    for (const { row, until } of levels) {
      const found = this.#index
        .prepare(
          "SELECT form, version, versions FROM spans WHERE branch = ? AND memory = ? AND from_at <= ? AND to_at > ?",
        )
        .get(row.id, memory, until, until) as unknown as [SnapshotId | null, number, number] | undefined;
      if (found !== undefined) {
        return { memory, snapshot: found[0] ?? undefined, version: found[1], versions: found[2] };
      }
      if (row.parent !== undefined && this.#hasRows(row, memory)) return undefined;
    }
    return undefined;
  }
}

/** In SQL: the memories of forms, whose numbers are in JSON. */
export const MEMORIES_OF_FORMS =
  "SELECT DISTINCT f.memory FROM json_each(?) j CROSS JOIN forms f ON f.id = j.value";

/** What was erased is not listed and not found, as what was forgotten is not. */
export const isHidden = (deleted: boolean, erased: Memory["erased"]): boolean =>
  deleted || (erased !== undefined && erased !== "pruned");

type Columns = [
  places: number[],
  snapshots: (SnapshotId | null)[],
  version: number[],
  versions: number[],
  ...holds: (0 | 1)[][],
];

/**
 * The intervals of memories that hold at any of the times, as columns in JSON: these cross over to JavaScript in a
 * third of the time of rows.
 */
function holdingAtTimes(
  times: readonly (readonly Level[])[],
  memories: readonly number[],
): { readonly sql: string; readonly parameters: readonly (string | number)[] } {
  const [levels = []] = times;
  const [wanted, parameters] = [JSON.stringify(memories), [] as (string | number)[]];
  const holds = times.map(() => "(s.from_at <= ? AND s.to_at > ?)");
  const names = times.map((_, time) => `at${time}`);
  const selects = levels.map(({ row }, index) => {
    const nearer = levels.slice(0, index).map((level) => level.row.id);
    const untils = times.map((ofTime) => (ofTime[index] as Level).until);
    const both = untils.flatMap((until) => [until, until]);
    parameters.push(...both, wanted, row.id, Math.max(...untils), ...both, ...nearer);
    return `SELECT j.key, s.form, s.version, s.versions, ${holds.map((one, time) => `${one} AS ${names[time]}`).join(", ")}
      FROM json_each(?) j CROSS JOIN spans s ON s.branch = ? AND s.memory = j.value AND s.from_at <= ?
      WHERE (${holds.join(" OR ")}) ${nearer.map(() => NOT_NEARER).join(" ")}`;
  });
  const columns = ["key", "form", "version", "versions", ...names].map((name) => `json_group_array(${name})`);
  return { sql: `SELECT ${columns.join(", ")} FROM (${selects.join(" UNION ALL ")})`, parameters };
}
