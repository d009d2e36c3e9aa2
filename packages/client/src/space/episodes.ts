/**
 * Episodes: what one author did on one day in one way, in place of thousands of changes.
 *
 * @module
 */
import { type Author, compareText, type Memory, type RecordType } from "@cambium/core";
import type { ActCounts, Episode } from "../api.js";
import type { ActivityCell, ActivityQueries, MergeEvent } from "../index-store/activity-queries.js";
import type { BranchRow } from "../index-store/branch-rows.js";
import { lineOf } from "../index-store/log-queries.js";
import { dayText } from "../platform/local-days.js";

export type EpisodeKind = Episode["kind"];

/** An episode before its details are read. */
export interface EpisodeDraft extends ActCounts {
  readonly kind: EpisodeKind;
  /** Tells it from others of its time. */
  readonly key: string;
  readonly day: number;
  readonly row: BranchRow;
  readonly authors: readonly number[];
  readonly types: readonly RecordType[];
  readonly by: Partial<Author>;
  readonly from: number;
  readonly until: number;
  readonly merge?: MergeEvent | undefined;
  readonly name?: string | undefined;
}

export const NO_ACTS: ActCounts = { added: 0, changed: 0, hidden: 0, restored: 0 };

const KIND_OF_TYPE: Readonly<Partial<Record<RecordType, EpisodeKind>>> = {
  import: "import",
  undo: "undo",
  rollback: "rollback",
};
/** So many of an episode's newest memories say what it was about. */
const LOOKED_AT = 100;
const MOST_CATEGORIES = 5;
const MOST_MEMORIES = 3;

/** The counts of cells, by kind. */
export function countsOf(cells: readonly Pick<ActivityCell, "kind" | "count">[]): ActCounts {
  const counts = { ...NO_ACTS };
  for (const { kind, count } of cells) counts[kind] += count;
  return counts;
}

/** Without those of merges, in no order. */
export function writingEpisodes(
  cells: readonly ActivityCell[],
  authorOf: (author: number) => Author,
): readonly EpisodeDraft[] {
  const groups = Map.groupBy(
    cells.filter(({ merge }) => merge === undefined),
    ({ row, day, author, type }) => {
      const { agent = "", replica } = authorOf(author);
      return JSON.stringify([row.id, day, KIND_OF_TYPE[type] ?? "write", replica, agent]);
    },
  );
  return [...groups].map(([key, group]) => {
    const [{ row, day, author, type }] = group as [ActivityCell];
    const { agent, replica } = authorOf(author);
    return {
      ...countsOf(group),
      ...{ kind: KIND_OF_TYPE[type] ?? ("write" as const), key, day, row, ...timesOf(group) },
      authors: [...new Set(group.map((cell) => cell.author))],
      types: [...new Set(group.map((cell) => cell.type))],
      by: { ...(agent === undefined ? {} : { agent }), replica },
    };
  });
}

/** Also of merges that brought nothing to see. */
export function mergeEpisodes(
  merges: readonly (MergeEvent & Pick<EpisodeDraft, "day" | "row" | "by">)[],
  cells: readonly ActivityCell[],
): readonly EpisodeDraft[] {
  const brought = Map.groupBy(cells, ({ merge }) => merge);
  return merges.map((merge) => ({
    ...countsOf(brought.get(merge.at) ?? []),
    ...{ kind: "merge", key: merge.hash, day: merge.day, row: merge.row, by: merge.by, merge },
    ...{ from: merge.at, until: merge.at, authors: [], types: [] },
  }));
}

function timesOf(cells: readonly ActivityCell[]): Pick<ActivityCell, "from" | "until"> {
  const from = cells.reduce((first, cell) => Math.min(first, cell.from), Number.POSITIVE_INFINITY);
  return { from, until: cells.reduce((last, cell) => Math.max(last, cell.until), 0) };
}

export const newestFirst = (a: EpisodeDraft, b: EpisodeDraft): number =>
  b.until - a.until || compareText(a.key, b.key);

/** What its newest memories were about. */
export function detailsOf(
  { kind, row, authors, types, merge, from, until }: EpisodeDraft,
  activity: ActivityQueries,
): Pick<Episode, "categories" | "memories"> {
  if (kind === "checkpoint") return { categories: [], memories: [] };
  const acted = { row, authors, types, merge: merge?.at, from, until };
  const memories = activity.memories(activity.forms(acted, LOOKED_AT));
  const newest = new Map(memories.toReversed().map((memory) => [memory.id, memory]));
  return {
    categories: categoriesOf([...newest.values()]),
    memories: [...newest.values()]
      .reverse()
      .slice(0, MOST_MEMORIES)
      .map((memory) => ({ id: memory.id, text: lineOf(memory) })),
  };
}

function categoriesOf(memories: readonly Memory[]): Episode["categories"] {
  const counts = new Map<string, number>();
  for (const { category } of memories)
    if (category !== undefined) counts.set(category, (counts.get(category) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || compareText(a.name, b.name))
    .slice(0, MOST_CATEGORIES);
}

/** As callers see it. */
export function episodeOf(
  draft: EpisodeDraft,
  more: Pick<Episode, "categories" | "memories" | "branch" | "by"> & { readonly source?: string | undefined },
): Episode {
  const { kind, day, from, until, added, changed, hidden, restored, merge, name } = draft;
  const { source, ...details } = more;
  return {
    ...{ kind, day: dayText(day), from, until, added, changed, hidden, restored, ...details },
    ...(merge === undefined ? {} : { change: merge.hash }),
    ...(source === undefined ? {} : { source }),
    ...(name === undefined ? {} : { name }),
  };
}
