/**
 * What a brief asks of the index: which memories a state shows otherwise than another, and which might matter
 * most. Texts are not read here; of ten thousand memories a brief shows thirty.
 *
 * @module
 */
import type { Author, Memory, MemoryId } from "@cambium/core";
import { NOT_NEARER } from "./branch-rows.js";
import type { IndexTables } from "./index-tables.js";
import type { SnapshotId } from "./snapshot-columns.js";
import type { ShownMetadata } from "./snapshot-metadata.js";
import type { IndexedState, StateQueries } from "./state-queries.js";

/** A memory without its text. */
export interface Outline {
  readonly id: MemoryId;
  readonly at: number;
  readonly by: Author;
  readonly deleted: boolean;
  readonly importance?: number | undefined;
  readonly category?: string | undefined;
  readonly validUntil?: number | undefined;
  /** Reads the text, which may take a while. */
  readonly content: () => string;
}

export interface Difference {
  readonly before: Outline | undefined;
  readonly after: Outline | undefined;
}

export class BriefQueries {
  readonly #tables: IndexTables;
  readonly #states: StateQueries;

  constructor(tables: IndexTables, states: StateQueries) {
    this.#tables = tables;
    this.#states = states;
  }

  /** Memories that two states of a branch show differently, forgotten or not. */
  differences(before: IndexedState, after: IndexedState): readonly Difference[] {
    const differing = this.#states.differing(before, after, this.#states.mayDiffer(before, after));
    const wanted = differing.flatMap((one) => [one.before?.snapshot ?? [], one.after?.snapshot ?? []].flat());
    const outlines = this.#outlines(wanted);
    return differing.map((one) => ({
      before: outlineIn(before, one.memory, outlines.get(one.before?.snapshot)),
      after: outlineIn(after, one.memory, outlines.get(one.after?.snapshot)),
    }));
  }

  /**
   * Those of the memories a branch shows now that can be the strongest: the last written, the most important, and
   * those given. What is left out is older than each of the first, not marked as important, and not used; so it is
   * weaker than all of them that are of ordinary importance.
   */
  candidates(state: IndexedState, used: readonly MemoryId[], limit: number): readonly Outline[] {
    const { memories, intervals } = this.#tables;
    const found = new Map<number, SnapshotId>();
    for (const sql of [...LAST_WRITTEN, IMPORTANT])
      for (const [memory, snapshot] of this.#ofEachLevel(state, sql, limit)) found.set(memory, snapshot);
    const numbers = used.flatMap((id) => memories.find(id) ?? []);
    for (const shown of intervals.shownOf(state.levels, numbers))
      if (shown?.snapshot !== undefined) found.set(shown.memory, shown.snapshot);
    return [...this.#outlines([...found.values()]).values()].filter(({ deleted }) => !deleted);
  }

  /** Memories of which fields are in conflict. */
  conflicts(state: IndexedState): readonly Memory[] {
    return this.#ofEachLevel(state, IN_CONFLICT, -1)
      .map(([, snapshot]) => this.#tables.snapshots.memory(snapshot, 0, 0))
      .filter(({ conflicts }) => conflicts.length > 0)
      .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  }

  /** @returns memory and form, of memories that no nearer level has rows for */
  #ofEachLevel(
    { levels }: IndexedState,
    sql: Question,
    limit: number,
  ): readonly (readonly [number, SnapshotId])[] {
    return levels.flatMap(({ row, until }, index) => {
      const nearer = levels.slice(0, index).map((level) => level.row.id);
      const text = `${sql.select} WHERE s.branch = ? AND s.from_at <= ? AND s.to_at > ? AND s.deleted = 0
        AND s.form IS NOT NULL ${sql.where} ${nearer.map(() => NOT_NEARER).join(" ")} ${sql.order} LIMIT ?`;
      const statement = this.#tables.index.prepare(text);
      return statement.all(row.id, until, until, ...nearer, limit) as unknown as [number, SnapshotId][];
    });
  }

  #outlines(snapshots: readonly SnapshotId[]): ReadonlyMap<SnapshotId | undefined, Outline> {
    const metadataOf = this.#tables.snapshots.metadataOf(snapshots);
    return new Map(
      snapshots.map((snapshot, place) => {
        const { id, at, by, deleted, importance, category, validUntil } = metadataOf[place] as ShownMetadata;
        const content = (): string => this.#tables.snapshots.content(snapshot);
        return [snapshot, { id, at, by, deleted, importance, category, validUntil, content }];
      }),
    );
  }
}

function outlineIn(
  { exceptions }: IndexedState,
  memory: number,
  shown: Outline | undefined,
): Outline | undefined {
  if (!exceptions.has(memory)) return shown;
  const exception = exceptions.get(memory);
  return exception && { ...exception, content: () => exception.content };
}

interface Question {
  readonly select: string;
  readonly where: string;
  readonly order: string;
}

/** What began when it was written has an index of its own. */
const LAST_WRITTEN: readonly Question[] = [
  {
    select: "SELECT s.memory, s.form FROM spans s INDEXED BY spans_own",
    where: "AND s.shown_at IS NULL",
    order: "ORDER BY s.from_at DESC",
  },
  {
    select: "SELECT s.memory, s.form FROM spans s INDEXED BY spans_from",
    where: "AND s.shown_at IS NOT NULL",
    order: "ORDER BY s.from_at DESC",
  },
];
const IMPORTANT: Question = {
  select: `SELECT s.memory, s.form FROM important i CROSS JOIN forms f ON f.id = i.form
    CROSS JOIN spans s ON s.memory = f.memory AND s.form = f.id`,
  where: "",
  order: "ORDER BY i.importance DESC, i.form DESC",
};
const IN_CONFLICT: Question = {
  select: "SELECT s.memory, s.form FROM spans s",
  where: "AND s.conflicts > 0",
  order: "",
};
