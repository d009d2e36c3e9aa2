/**
 * What was done on a branch, in counts: for each day, author and kind of act one cell, made by SQLite from the
 * intervals. A cell is small, so a history of any length is a few thousand of them.
 *
 * @module
 */
import type { Author, BranchId, ChangeHash, Memory, RecordType } from "@cambium/core";
import type { LocalDays } from "../platform/local-days.js";
import type { BranchRow } from "./branch-rows.js";
import type { IndexTables } from "./index-tables.js";
import { intervalsBegun, NOW } from "./schema.js";
import type { SnapshotId } from "./snapshot-columns.js";

/** What came to be otherwise: nothing was shown before, or something else, or the same was hidden. */
export type ActKind = "added" | "changed" | "hidden" | "restored";

export interface ActivityCell {
  /** Where it was done: the branch itself, or one that it was made from, before that. */
  readonly row: BranchRow;
  /** See `LocalDays`. */
  readonly day: number;
  readonly author: number;
  readonly type: RecordType;
  /** When the merge counts that brought it; undefined for what was written here. */
  readonly merge: number | undefined;
  readonly kind: ActKind;
  readonly count: number;
  /** Effective times of the first and the last. */
  readonly from: number;
  readonly until: number;
}

export interface MergeEvent {
  readonly at: number;
  readonly hash: ChangeHash;
  readonly from: BranchId | undefined;
}

/** Of a run of cells: what one author did, in what way, from then until then. */
export interface ActedMemories extends Pick<ActivityCell, "row" | "from" | "until"> {
  readonly authors: readonly number[];
  readonly types: readonly RecordType[];
  readonly merge: number | undefined;
}

type CellColumns = [
  day: number,
  author: number,
  type: string,
  merge: number | null,
  kind: number,
  count: number,
  from: number,
  until: number,
];

const KINDS: readonly ActKind[] = ["added", "changed", "hidden", "restored"];
/** Of one branch, in as many time zones or up to as many times. */
const MOST_KEPT = 8;
/** What a fork shares with its parent ends with the time of a change. */
const EARLIEST_STEP = 1e-3;

interface KeptCells {
  readonly cells: readonly ActivityCell[];
  /** The first time at which something is otherwise by now. */
  staleFrom: number;
}

/** @param intervals - those of a branch in a time. Reading most of them in a row is far faster than looking them up */
const CELLS = (day: string, intervals: string): string => `
  SELECT day, author, (SELECT value FROM labels WHERE id = type), merged, kind, count(*), min(at), max(at) FROM (
    SELECT ${day} day, f.author author, f.type type, s.from_at at,
      CASE WHEN s.from_at IN (SELECT value FROM json_each(?)) THEN s.from_at END merged,
      CASE WHEN s.was IS NULL THEN CASE s.deleted WHEN 0 THEN 0 END
        WHEN s.deleted > s.was THEN 2 WHEN s.deleted < s.was THEN 3 ELSE 1 END kind
    FROM (
      SELECT from_at, form, deleted, CASE WHEN version > 1 OR deleted = 1 THEN
        (SELECT CASE WHEN o.form IS NOT NULL THEN o.deleted END FROM spans o WHERE o.branch = s.branch
         AND o.memory = s.memory AND o.from_at < s.from_at ORDER BY o.from_at DESC LIMIT 1) END was
      FROM (${intervals}) s
    ) s CROSS JOIN forms f ON f.id = s.form
  ) WHERE kind IS NOT NULL GROUP BY 1, 2, 3, 4, 5`;

export class ActivityQueries {
  readonly #tables: IndexTables;
  /** Rows are others when the index was made again. */
  #kept = new WeakMap<BranchRow, Map<string, KeptCells>>();

  constructor(tables: IndexTables) {
    this.#tables = tables;
    tables.intervals.onChange = (row, from) => {
      for (const kept of this.#kept.get(row)?.values() ?? []) kept.staleFrom = Math.min(kept.staleFrom, from);
    };
  }

  /** What was done until then on the branch, and before it was made on those that it came from. */
  cells(row: BranchRow, days: LocalDays, until = NOW): readonly ActivityCell[] {
    const own = this.#ownCells(row, days, until);
    if (row.parent === undefined) return own;
    return [...this.cells(row.parent, days, Math.min(until, row.sharedUntil)), ...own];
  }

  /** Only days on which something has changed since are counted again. */
  #ownCells(row: BranchRow, days: LocalDays, until: number): readonly ActivityCell[] {
    const key = `${until} ${days.timeZone}`;
    const ofRow = this.#kept.get(row) ?? new Map<string, KeptCells>();
    const known = ofRow.get(key) ?? { cells: [], staleFrom: Number.NEGATIVE_INFINITY };
    if (known.staleFrom === Number.POSITIVE_INFINITY) return known.cells;
    const begin = row.parent === undefined ? this.#firstTime(row) : row.sharedUntil + EARLIEST_STEP;
    const day = days.dayOf(Math.max(known.staleFrom, begin));
    const since = Math.max(begin, days.startOf(day));
    const before = known.cells.filter((cell) => cell.day < day);
    const cells = [...before, ...this.#read(row, days, since, until)];
    if (ofRow.size >= MOST_KEPT) ofRow.clear();
    ofRow.set(key, { cells, staleFrom: Number.POSITIVE_INFINITY });
    this.#kept.set(row, ofRow);
    return cells;
  }

  #read(row: BranchRow, days: LocalDays, since: number, until: number): readonly ActivityCell[] {
    const merges = this.#mergesOn(row).map(({ at }) => at);
    const day = days.sqlDay("s.from_at", since, Math.min(until, row.lastAt));
    const isMost = since <= this.#firstTime(row);
    const range = [row.id, since, until];
    const parameters = [...day.parameters, JSON.stringify(merges), ...range, ...(isMost ? [] : range)];
    const sql = CELLS(
      day.sql,
      isMost
        ? "SELECT * FROM spans WHERE branch = ? AND +from_at >= ? AND +from_at <= ?"
        : intervalsBegun("*", "branch = ? AND from_at >= ? AND from_at <= ?"),
    );
    const rows = this.#tables.index.prepare(sql).all(...parameters) as unknown as CellColumns[];
    return rows.map(([on, author, type, merge, kind, count, from, last]) => ({
      ...{ row, day: on, author, type: type as RecordType, merge: merge ?? undefined },
      ...{ kind: KINDS[kind] as ActKind, count, from, until: last },
    }));
  }

  #firstTime({ id, lastAt }: BranchRow): number {
    const [first] = this.#tables.index
      .prepare(
        `SELECT min(first) FROM (${intervalsBegun("min(from_at) AS first", "branch = ? AND from_at > 0")})`,
      )
      .get(id, id) as unknown as [number | null];
    return first ?? lastAt;
  }

  /** Merges into the branch, and before it was made into those that it came from. */
  merges(row: BranchRow, until = NOW): readonly MergeEvent[] {
    const own = this.#mergesOn(row).filter(({ at }) => at <= until);
    if (row.parent === undefined) return own;
    return [...this.merges(row.parent, Math.min(until, row.sharedUntil)), ...own];
  }

  #mergesOn(row: BranchRow): readonly MergeEvent[] {
    const rows = this.#tables.index
      .prepare(
        `SELECT p.at, lower(hex(c.hash)), json_extract(c.statement, '$.from') FROM changes c
         CROSS JOIN placed p ON p.change = c.id
         WHERE c.type = 'merge' AND c.type IN ('merge', 'undo') AND p.branch = ? AND p.position >= ?`,
      )
      .all(row.id, row.shared) as unknown as [number, ChangeHash, BranchId | null][];
    return rows.map(([at, hash, from]) => ({ at, hash, from: from ?? undefined }));
  }

  authorOf(author: number): Author {
    return this.#tables.snapshots.authorOf(author);
  }

  /** Forms of what was done, newest first. */
  forms({ row, authors, types, merge, from, until }: ActedMemories, most: number): readonly SnapshotId[] {
    const rows = this.#tables.index
      .prepare(
        `SELECT s.form FROM (${intervalsBegun("form, from_at, memory", "branch = ? AND from_at >= ? AND from_at <= ?")}
           ORDER BY from_at DESC, memory) s CROSS JOIN forms f ON f.id = s.form
         WHERE (? OR f.author IN (SELECT value FROM json_each(?)))
         AND (? OR f.type IN (SELECT id FROM labels WHERE value IN (SELECT value FROM json_each(?))))
         ORDER BY s.from_at DESC, s.memory LIMIT ?`,
      )
      .all(
        ...[row.id, merge ?? from, merge ?? until],
        ...[row.id, merge ?? from, merge ?? until],
        ...[merge === undefined ? 0 : 1, JSON.stringify(authors)],
        ...[merge === undefined ? 0 : 1, JSON.stringify(types), most],
      ) as unknown as [SnapshotId][];
    return rows.map(([form]) => form);
  }

  memories(forms: readonly SnapshotId[]): readonly Memory[] {
    const shown = forms.map((snapshot) => ({ snapshot, version: 0, versions: 0 }));
    return this.#tables.snapshots.memories(shown).filter((memory) => memory !== undefined);
  }
}
