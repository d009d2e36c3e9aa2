/**
 * Pages of a state, newest first, found in the intervals.
 *
 * @module
 */
import { compareText, type Memory, type MemoryId } from "@cambium/core";
import { type BranchRow, type Level, NOT_NEARER } from "./branch-rows.js";
import type { IndexTables } from "./index-tables.js";
import { type IdColumn, idColumn } from "./memory-numbers.js";
import type { SnapshotId } from "./snapshot-columns.js";
import type { ShownSnapshot } from "./snapshot-store.js";

/** What a branch showed at an effective time, but for some memories. */
export interface StateIntervals {
  readonly row: BranchRow;
  readonly levels: readonly Level[];
  /** Memories in which the state differs from what the branch showed at that effective time. */
  readonly exceptions: ReadonlyMap<number, Memory | undefined>;
}

/** Where a page of a list goes on. */
export interface ListPlace {
  readonly at: number;
  readonly id: string;
}

/** Whether those that were forgotten are shown: not, with the others, or alone. */
export type Forgotten = "without" | "with" | "only";

export interface PageQuery {
  readonly forgotten: Forgotten;
  readonly limit: number;
  readonly after: ListPlace | undefined;
}

/** In SQL, with what stands for its question marks. */
interface Question {
  readonly sql: string;
  readonly parameters: readonly (number | IdColumn)[];
}

type PageRow = [snapshot: SnapshotId, version: number, versions: number, at: number, memory: number];

const OWN = "spans_own";
/** By when what they show was written: mostly, that is when they began. */
const SHOWN_INDEXES = [
  { name: OWN, column: "from_at", condition: "shown_at IS NULL" },
  { name: "spans_shown", column: "shown_at", condition: "shown_at IS NOT NULL" },
] as const;
type ShownIndex = (typeof SHOWN_INDEXES)[number];

/** A page as long as this may be most of what there is. */
const LONG_PAGE = 2_048;
/** Looking an interval up takes as long as reading so many in a row. */
const ROWS_PER_LOOKUP = 8;

export class StatePages {
  readonly #tables: IndexTables;

  constructor(tables: IndexTables) {
    this.#tables = tables;
  }

  /** Forms of the intervals that hold, without those of the state's exceptions. */
  rows(state: StateIntervals, query: PageQuery): readonly ShownSnapshot[] {
    const isMost = query.limit >= LONG_PAGE && query.limit * ROWS_PER_LOOKUP > state.row.size;
    const indexes = SHOWN_INDEXES.filter(({ name }) => name === OWN || this.#hasOthers(state));
    const { sql, parameters } = isMost ? anyOrder(state, query) : newestFirst(state, query, indexes);
    const rows = this.#tables.index.prepare(sql).all(...parameters) as unknown as PageRow[];
    const isSorted = !isMost && state.levels.length * indexes.length === 1;
    const page = isSorted ? rows : this.#sorted(rows, query.after).slice(0, query.limit);
    return page.map(([snapshot, version, versions]) => ({ snapshot, version, versions }));
  }

  /** Whether any span began at another time than what it shows was written. */
  #hasOthers({ levels }: StateIntervals): boolean {
    const find = this.#tables.index.prepare(
      "SELECT 1 FROM spans INDEXED BY spans_shown WHERE shown_at IS NOT NULL AND branch = ? LIMIT 1",
    );
    return levels.some(({ row }) => find.get(row.id) !== undefined);
  }

  #sorted(rows: readonly PageRow[], after: ListPlace | undefined): readonly PageRow[] {
    const idOf = (row: PageRow): MemoryId => this.#tables.memories.idOf(row[4]);
    const due =
      after === undefined ? [...rows] : rows.filter((row) => row[3] < after.at || idOf(row) < after.id);
    return due.sort((a, b) => b[3] - a[3] || compareText(idOf(b), idOf(a)));
  }
}

/** All that hold, and that the page may show. */
function anyOrder({ levels, exceptions }: StateIntervals, { forgotten, after }: PageQuery): Question {
  const [intervals, kept] = [intervalsOfLevels(levels), ordinary(exceptions)];
  const place = after === undefined ? "" : "AND s.shown_at <= ?";
  return {
    sql: `SELECT s.form, s.version, s.versions, s.shown_at, s.memory FROM (${intervals.sql}) s
      WHERE s.form IS NOT NULL ${VISIBLE[forgotten]} ${kept.sql} ${place}`,
    parameters: [...intervals.parameters, ...kept.parameters, ...(after === undefined ? [] : [after.at])],
  };
}

/**
 * The first of each level, by the index on when memories were shown. The intervals it leads to are read only where
 * they began in time: `i` is a row of the index, `s` the whole.
 */
function newestFirst(
  { levels, exceptions }: StateIntervals,
  { forgotten, limit, after }: PageQuery,
  indexes: readonly ShownIndex[],
): Question {
  const parameters: (number | IdColumn)[] = [];
  const kept = ordinary(exceptions);
  const selects = levels.flatMap(({ row, until }, index) => {
    const nearer = levels.slice(0, index).map((level) => level.row.id);
    return indexes.map(({ name, column, condition }) => {
      parameters.push(until, row.id, until, ...kept.parameters, ...nearer);
      parameters.push(...(after === undefined ? [] : [after.at, after.at, idColumn(after.id)]), limit);
      const place = after === undefined ? "" : `AND i.${column} <= ? AND (i.${column} < ? OR m.uuid < ?)`;
      return `SELECT s.form, s.version, s.versions, i.${column}, s.memory FROM spans i INDEXED BY ${name}
        CROSS JOIN spans s ON s.branch = i.branch AND s.memory = i.memory AND s.from_at = i.from_at AND s.to_at > ?
        CROSS JOIN memories m ON m.id = s.memory
        WHERE i.${condition} AND i.branch = ? AND i.from_at <= ? AND s.form IS NOT NULL ${VISIBLE[forgotten]} ${kept.sql}
          ${nearer.map(() => NOT_NEARER).join(" ")} ${place} ORDER BY i.${column} DESC, m.uuid DESC LIMIT ?`;
    });
  });
  const [only] = selects;
  const isOne = selects.length === 1 && only !== undefined;
  return {
    sql: isOne ? only : selects.map((sql) => `SELECT * FROM (${sql})`).join(" UNION ALL "),
    parameters,
  };
}

const VISIBLE: Readonly<Record<Forgotten, string>> = {
  without: "AND s.deleted = 0",
  with: "",
  only: "AND s.deleted = 1",
};

function ordinary(exceptions: StateIntervals["exceptions"]): Question {
  if (exceptions.size === 0) return { sql: "", parameters: [] };
  return {
    sql: "AND s.memory NOT IN (SELECT value FROM json_each(?))",
    parameters: [JSON.stringify([...exceptions.keys()])],
  };
}

/**
 * The intervals that hold at each level, of memories that no nearer level has rows for. The plus keeps SQLite from
 * looking them up one by one by their beginnings: reading all intervals of the branch in a row takes an eighth of the
 * time.
 */
export function intervalsOfLevels(levels: readonly Level[]): {
  readonly sql: string;
  readonly parameters: readonly number[];
} {
  const parameters: number[] = [];
  const selects = levels.map(({ row, until }, index) => {
    const nearer = levels.slice(0, index).map((level) => level.row.id);
    parameters.push(row.id, until, until, ...nearer);
    const isOwn = nearer.map(() => NOT_NEARER);
    return `SELECT s.memory, s.form, s.version, s.versions, ifnull(s.shown_at, s.from_at) AS shown_at, s.deleted, s.conflicts FROM spans s
      WHERE s.branch = ? AND +s.from_at <= ? AND s.to_at > ? ${isOwn.join(" ")}`;
  });
  return { sql: selects.join(" UNION ALL "), parameters };
}
