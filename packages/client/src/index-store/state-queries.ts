/**
 * Questions about one state of a branch, answered from the intervals.
 *
 * @module
 */
import {
  type ChangeHash,
  type ChangeSet,
  FILTER_LABELS,
  type FilterLabel,
  type Labelled,
  labelsOf,
  type Memory,
  type MemoryId,
  openNow,
  showing,
} from "@cambium/core";
import { type BranchRow, levelsOf, NOT_NEARER } from "./branch-rows.js";
import type { Place } from "./change-store.js";
import type { IndexTables } from "./index-tables.js";
import type { FindRecord } from "./interval-store.js";
import { type IdColumn, idFromColumn } from "./memory-numbers.js";
import { intervalsBegun, NOW, OPEN_END } from "./schema.js";
import type { SnapshotId } from "./snapshot-columns.js";
import type { ShownMetadata } from "./snapshot-metadata.js";
import type { ShownSnapshot } from "./snapshot-store.js";
import {
  type Forgotten,
  intervalsOfLevels,
  type ListPlace,
  type StateIntervals,
  StatePages,
} from "./state-pages.js";

/** A branch as it was when certain changes had happened. */
export interface IndexedState extends StateIntervals {
  /** Those of the exceptions that are there, though nothing of them is readable. */
  readonly unreadable: ReadonlySet<number>;
  /** Whether a change, by its position, has happened; undefined for states that a date names. */
  readonly includes: ((position: number) => boolean) | undefined;
  /**
   * Since when its changes count by what they and no others say, where that may be another time than what is known
   * by now. Reads the whole history.
   */
  readonly timesThen?: () => ReadonlyMap<ChangeHash, number>;
}

/** A memory in two states, as their intervals show it: where a state has an exception, that counts. */
export interface Differing {
  readonly memory: number;
  readonly before: ShownSnapshot | undefined;
  readonly after: ShownSnapshot | undefined;
}

/** The values that memories have of each label, with how many of them do. */
export type UsedLabels = Readonly<Record<FilterLabel, ReadonlyMap<string, number>>>;

export interface StateCounts {
  readonly memories: number;
  readonly conflicts: number;
  /** Memories of which nothing is readable. */
  readonly unreadable: number;
}

/** What a state that heads name is made of, beside the index. */
interface StateSources {
  /** Records that its memories need. */
  readonly find: FindRecord;
  readonly timesThen: NonNullable<IndexedState["timesThen"]>;
}

const PAGE = 64;
const NONE: Pick<IndexedState, "exceptions" | "unreadable"> = {
  exceptions: new Map(),
  unreadable: new Set(),
};

export class StateQueries {
  readonly #tables: IndexTables;
  readonly #pages: StatePages;
  /** Of one state: of the present, mostly. */
  #labels: { readonly key: string; readonly size: number; readonly used: UsedLabels } | undefined;

  constructor(tables: IndexTables) {
    this.#tables = tables;
    this.#pages = new StatePages(tables);
  }

  /** @param at - effective time; undefined for now */
  stateAt(row: BranchRow, at: number | undefined): IndexedState {
    return { row, levels: levelsOf(row, at), ...NONE, includes: undefined };
  }

  /**
   * The state when exactly the changes of a set had happened.
   *
   * @param set - by position
   */
  stateOf(row: BranchRow, set: ChangeSet, { find, timesThen }: StateSources): IndexedState {
    const { changes } = this.#tables;
    const times = changes.timesOf(row);
    let until = Number.NEGATIVE_INFINITY;
    for (const [position, at] of times.entries()) if (set[position] === 1) until = Math.max(until, at);
    const extra: number[] = [];
    for (const [position, at] of times.entries())
      if (set[position] !== 1 && at <= until) extra.push(position);
    const includes = (position: number): boolean => set[position] === 1;
    const state = this.#without(row, until, changes.idsAt(row, extra), includes, find);
    return extra.length === 0 ? state : { ...state, timesThen };
  }

  /** The state at a change that has everything placed before it among its ancestors. */
  stateAtClosed(
    row: BranchRow,
    { position, at }: Pick<Place, "position" | "at">,
    { find, timesThen }: StateSources,
  ): IndexedState {
    const later = this.#tables.changes.placedLater(row, position, at);
    const state = this.#without(row, at, later, (place) => place <= position, find);
    return later.length === 0 ? state : { ...state, timesThen };
  }

  #without(
    row: BranchRow,
    until: number,
    left: readonly number[],
    includes: (position: number) => boolean,
    find: FindRecord,
  ): IndexedState {
    const exceptions = new Map<number, Memory | undefined>();
    const unreadable = new Set<number>();
    const { changes, writes } = this.#tables;
    for (const [memory, { state, positions }] of writes.writesOfMany(row, changes.memoriesWritten(left))) {
      if (this.#tables.concealed.has(memory)) {
        exceptions.set(memory, undefined);
        continue;
      }
      const set = Uint8Array.from(positions, (position) => (includes(position) ? 1 : 0));
      const id = this.#tables.memories.idOf(memory);
      const shown = openNow(showing({ ...state, set }, id), (reference) => find(reference, id));
      exceptions.set(memory, shown);
      if (shown === undefined && set.includes(1)) unreadable.add(memory);
    }
    return { row, levels: levelsOf(row, until), exceptions, unreadable, includes };
  }

  /** What reading one memory whole needs, as of the state. */
  writesAt({ row, levels, includes }: IndexedState, memory: number) {
    const { state, times, positions } = this.#tables.writes.writesOf(row, memory);
    const until = levels[0]?.until ?? NOW;
    const set = Uint8Array.from(positions, (position, index) =>
      (includes === undefined ? (times[index] as number) <= until : includes(position)) ? 1 : 0,
    );
    return { ...state, set };
  }

  /** @returns undefined when it is not there, or nothing of it is readable */
  memory(state: IndexedState, memory: number): Memory | undefined {
    if (state.exceptions.has(memory)) return state.exceptions.get(memory);
    const shown = this.#tables.intervals.shownAt(state.levels, memory);
    return shown?.snapshot === undefined
      ? undefined
      : this.#tables.snapshots.memory(shown.snapshot, shown.version, shown.versions);
  }

  /** Whether the state has it, readable or not, and may show it. */
  has(state: IndexedState, memory: number): boolean {
    const { levels, exceptions } = state;
    if (this.#tables.concealed.has(memory)) return false;
    if (exceptions.get(memory) !== undefined) return true;
    if (!exceptions.has(memory) && this.#tables.intervals.shownAt(levels, memory) !== undefined) return true;
    return this.writesAt(state, memory).set.includes(1);
  }

  /** Those that pass, newest first, from a place on. */
  list(
    state: IndexedState,
    filter: { readonly forgotten: Forgotten; readonly passes: (memory: Memory) => boolean },
    limit: number,
    after: ListPlace | undefined,
  ): readonly Memory[] {
    const found: Memory[] = [];
    const exceptions = exceptionsFrom(state, filter.forgotten, after);
    let place = after;
    for (let size = Math.max(limit, PAGE); found.length < limit; size *= 2) {
      const rows = this.#pages.rows(state, { ...filter, limit: size, after: place });
      const memories = this.#tables.snapshots.memories(rows).filter((memory) => memory !== undefined);
      const last = memories.at(-1);
      const isEnd = rows.length < size;
      const due = exceptions.filter((memory) => isEnd || last === undefined || newestFirst(memory, last) < 0);
      exceptions.splice(0, due.length);
      const shown = due.length === 0 ? memories : [...memories, ...due].sort(newestFirst);
      for (const memory of shown) if (filter.passes(memory) && found.length < limit) found.push(memory);
      if (isEnd || last === undefined) break;
      place = { at: last.at, id: last.id };
    }
    return found;
  }

  /**
   * A name that another state does not have, nor this one after a write; with what was asked of it. Undefined for a
   * state that heads name.
   */
  nameOf({ levels, exceptions }: IndexedState, asked: string): string | undefined {
    if (exceptions.size > 0) return undefined;
    return `${levels.map(({ row, until }) => `${row.id} ${row.size} ${until}`).join()} ${asked}`;
  }

  /** When what the branch of a state, or one that it was made from, showed first of each memory was written. */
  shownSince({ levels }: IndexedState): ReadonlyMap<MemoryId, number> {
    const rows = this.#tables.index
      .prepare(
        `SELECT m.uuid, min(ifnull(s.shown_at, s.from_at)) FROM spans s CROSS JOIN memories m ON m.id = s.memory
         WHERE s.branch IN (SELECT value FROM json_each(?)) AND s.form IS NOT NULL GROUP BY s.memory`,
      )
      .all(JSON.stringify(levels.map(({ row }) => row.id))) as unknown as [IdColumn, number][];
    return new Map(rows.map(([id, since]) => [idFromColumn(id), since]));
  }

  /**
   * The labels that the memories of a state have, with how many of them do; or had when they were last counted, if that
   * will do.
   */
  labelsUsed(state: IndexedState, willDo: (used: UsedLabels) => boolean): UsedLabels {
    const levels = state.levels.map(({ row, until }) => `${row.id} ${until}`);
    const key = [this.#tables.concealed.version, ...levels].join();
    const size = state.row.size;
    const isKept = state.exceptions.size === 0;
    const known = isKept && this.#labels?.key === key ? this.#labels : undefined;
    if (known !== undefined && (known.size === size || willDo(known.used))) return known.used;
    const used = countLabels(this.metadata(state, "without"));
    if (isKept) this.#labels = { key, size, used };
    return used;
  }

  /** All that the state shows, in no order, without the texts. */
  metadata(state: IndexedState, forgotten: "without" | "with"): readonly ShownMetadata[] {
    const all = { limit: Number.POSITIVE_INFINITY, after: undefined };
    const rows = this.#pages.rows(state, { forgotten, ...all });
    const shown = this.#tables.snapshots.metadataOf(rows.flatMap(({ snapshot }) => snapshot ?? []));
    const others = [...state.exceptions.values()].filter((memory) => memory !== undefined);
    return [...shown, ...others.filter(({ deleted }) => forgotten === "with" || !deleted)];
  }

  /** Open conflicts in memories that were written on the branch itself. */
  conflictsWrittenOn({ id }: BranchRow): number {
    const [count] = this.#tables.index
      .prepare("SELECT count(*) FROM spans WHERE branch = ? AND conflicts > 0 AND to_at = ?")
      .get(id, OPEN_END) as unknown as [number];
    return count;
  }

  /** When something that was shown of these memories ended to be shown, latest first. */
  endsOf(state: IndexedState, memories: readonly number[], most: number): readonly number[] {
    const ends = state.levels.flatMap(({ row, until }) => {
      const rows = this.#tables.index
        .prepare(
          `SELECT DISTINCT s.to_at FROM json_each(?) m CROSS JOIN spans s ON s.memory = m.value
           WHERE s.branch = ? AND s.deleted = 0 AND s.form IS NOT NULL AND s.to_at <= ? ORDER BY s.to_at DESC LIMIT ?`,
        )
        .all(JSON.stringify(memories), row.id, Math.min(until, NOW), most) as unknown as [number][];
      return rows.map(([end]) => end);
    });
    return [...new Set(ends)].sort((a, b) => b - a).slice(0, most);
  }

  counts(state: IndexedState): StateCounts {
    const levels = intervalsOfLevels(state.levels);
    const except = JSON.stringify([...state.exceptions.keys()]);
    const [shown, conflicts, unreadable] = this.#tables.index
      .prepare(
        `SELECT total(s.deleted = 0 AND s.form IS NOT NULL), total(s.conflicts > 0), total(s.form IS NULL)
         FROM (${levels.sql}) s WHERE s.memory NOT IN (SELECT value FROM json_each(?))`,
      )
      .get(...levels.parameters, except) as unknown as [number, number, number];
    const others = [...state.exceptions.values()].filter((memory) => memory !== undefined);
    return {
      memories: shown + others.filter(({ deleted }) => !deleted).length,
      conflicts: conflicts + others.filter((memory) => memory.conflicts.length > 0).length,
      unreadable: unreadable + state.unreadable.size,
    };
  }

  /** Memories in conflict, or of which records are missing. */
  unsettled(state: IndexedState): readonly Memory[] {
    const levels = intervalsOfLevels(state.levels);
    const rows = this.#tables.index
      .prepare(
        `SELECT s.memory, s.form, s.version, s.versions FROM (${levels.sql}) s CROSS JOIN forms f ON f.id = s.form
         WHERE f.hash IS NULL ORDER BY s.memory`,
      )
      .all(...levels.parameters) as unknown as [number, SnapshotId, number, number][];
    const memories = rows
      .filter(([memory]) => !state.exceptions.has(memory))
      .map(([, snapshot, version, versions]) => this.#tables.snapshots.memory(snapshot, version, versions));
    return [...memories, ...[...state.exceptions.values()].filter((memory) => memory !== undefined)].sort(
      newestFirst,
    );
  }

  /** Numbers of the memories of which nothing is readable. */
  unreadable(state: IndexedState): readonly number[] {
    const rows = state.levels.flatMap(({ row, until }, index) => {
      const nearer = state.levels.slice(0, index).map((level) => level.row.id);
      return this.#tables.index
        .prepare(
          `SELECT s.memory FROM spans s INDEXED BY spans_unreadable
           WHERE s.branch = ? AND s.form IS NULL AND s.from_at <= ? AND s.to_at > ? ${nearer.map(() => NOT_NEARER).join(" ")}`,
        )
        .all(row.id, until, until, ...nearer) as unknown as [number][];
    });
    const ordinary = rows.map(([memory]) => memory).filter((memory) => !state.exceptions.has(memory));
    return [...ordinary, ...state.unreadable];
  }

  /**
   * Numbers of the memories that two states may show differently, in their order; all others they show in the same
   * way.
   */
  mayDiffer(a: IndexedState, b: IndexedState): readonly number[] {
    const rows = new Set([...a.levels, ...b.levels].map(({ row }) => row));
    const found = new Set([...a.exceptions.keys(), ...b.exceptions.keys()]);
    for (const row of rows) {
      const [one, other] = [untilOf(a, row), untilOf(b, row)];
      const from = one === undefined || other === undefined ? Number.NEGATIVE_INFINITY : Math.min(one, other);
      const until = Math.max(one ?? from, other ?? from);
      const [memories] = this.#tables.index
        .prepare(
          `SELECT json_group_array(memory) FROM (${intervalsBegun("memory", "branch = ? AND from_at > ? AND from_at <= ?")})`,
        )
        .get(row.id, from, until, row.id, from, until) as unknown as [string];
      for (const memory of JSON.parse(memories) as readonly number[]) found.add(memory);
    }
    return [...found].sort((x, y) => x - y);
  }

  /** Of several memories those that two states do not show by the same form. */
  differing(a: IndexedState, b: IndexedState, memories: readonly number[]): readonly Differing[] {
    const { intervals } = this.#tables;
    const [before = [], after = []] = intervals.shownInBoth(a.levels, b.levels, memories);
    const differing: Differing[] = [];
    for (const [place, memory] of memories.entries()) {
      const isException = a.exceptions.has(memory) || b.exceptions.has(memory);
      const [was, is] = [before[place], after[place]];
      if (isException || was?.snapshot !== is?.snapshot) differing.push({ memory, before: was, after: is });
    }
    return differing;
  }

  /** The same as the states show them. */
  pairs(
    a: IndexedState,
    b: IndexedState,
    memories: readonly number[],
  ): readonly (readonly [Memory | undefined, Memory | undefined])[] {
    const differing = this.differing(a, b, memories);
    // Side by side, because one was nearly always written on the other.
    const shown = this.#tables.snapshots.memories(differing.flatMap(({ before, after }) => [before, after]));
    return differing.map(({ memory }, place) => [
      exceptionOr(a, memory, shown[2 * place]),
      exceptionOr(b, memory, shown[2 * place + 1]),
    ]);
  }
}

const exceptionOr = (
  { exceptions }: IndexedState,
  memory: number,
  shown: Memory | undefined,
): Memory | undefined => (exceptions.has(memory) ? exceptions.get(memory) : shown);

const untilOf = ({ levels }: IndexedState, wanted: BranchRow): number | undefined =>
  levels.find(({ row }) => row === wanted)?.until;

const newestFirst = (a: Memory, b: Memory): number => b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/** Newest first. */
function exceptionsFrom(state: IndexedState, forgotten: Forgotten, after: ListPlace | undefined): Memory[] {
  return [...state.exceptions.values()]
    .filter((memory) => memory !== undefined)
    .filter((memory) => forgotten === "with" || memory.deleted === (forgotten === "only"))
    .filter(({ at, id }) => after === undefined || at < after.at || (at === after.at && id < after.id))
    .sort(newestFirst);
}

function countLabels(memories: readonly Labelled[]): UsedLabels {
  const counts = (label: FilterLabel): ReadonlyMap<string, number> => {
    const used = new Map<string, number>();
    for (const memory of memories)
      for (const value of labelsOf(memory, label)) used.set(value, (used.get(value) ?? 0) + 1);
    return used;
  };
  return Object.fromEntries(FILTER_LABELS.map((label) => [label, counts(label)])) as unknown as UsedLabels;
}
