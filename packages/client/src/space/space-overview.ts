/**
 * A space at a glance, from the index alone.
 *
 * @module
 */
import { type BranchId, CambiumError, labelTest } from "@cambium/core";
import type {
  Activity,
  ActivityOptions,
  ActivityPeriod,
  BranchSummary,
  BranchSummaryOptions,
  DaysOptions,
  Episode,
  EpisodeOptions,
  EpisodePage,
  FacetOptions,
  Facets,
  FoundBefore,
  LastFoundOptions,
} from "../api.js";
import { endOf, startOf } from "../arguments/date-option.js";
import type { ActivityCell, MergeEvent } from "../index-store/activity-queries.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import { type DayUnit, dayText, LocalDays } from "../platform/local-days.js";
import type { BranchDirectory } from "./branch-directory.js";
import { BranchSummaries } from "./branch-summaries.js";
import type { BranchViews } from "./branch-views.js";
import { withNotes } from "./change-notes.js";
import type { CheckpointDirectory } from "./checkpoint-directory.js";
import {
  countsOf,
  detailsOf,
  type EpisodeDraft,
  episodeOf,
  mergeEpisodes,
  NO_ACTS,
  newestFirst,
  writingEpisodes,
} from "./episodes.js";
import { facetsOf } from "./facets.js";
import { lastFound } from "./last-found.js";
import type { FoundState, StateFinder } from "./state-finder.js";
import type { StateReader } from "./state-reader.js";

export interface SpaceOverviewOptions {
  readonly finder: StateFinder;
  readonly index: SpaceIndex;
  readonly directory: BranchDirectory;
  readonly views: BranchViews;
  readonly reader: StateReader;
  readonly checkpoints: CheckpointDirectory;
  readonly now: () => number;
}

/** What happened on some days. */
interface Happened {
  readonly found: FoundState;
  readonly days: LocalDays;
  readonly cells: readonly ActivityCell[];
  readonly merges: readonly MergeEvent[];
  readonly checkpoints: readonly { readonly name: string; readonly at: number; readonly by: Episode["by"] }[];
}

const DEFAULT_EPISODES = 50;
const MOST_EPISODES = 1_000;

export class SpaceOverview {
  readonly #services: SpaceOverviewOptions;

  constructor(services: SpaceOverviewOptions) {
    this.#services = services;
  }

  async activity(options: ActivityOptions = {}): Promise<Activity> {
    const { found, days, cells, merges, checkpoints } = await this.#happened(options);
    const first = (at: number): number => days.periodOf(days.dayOf(at), options.by ?? "day")[0];
    const cellsIn = Map.groupBy(cells, ({ day }) => days.periodOf(day, options.by ?? "day")[0]);
    const mergesIn = Map.groupBy(merges, ({ at }) => first(at));
    const checkpointsIn = Map.groupBy(checkpoints, ({ at }) => first(at));
    const starts = new Set([...cellsIn.keys(), ...mergesIn.keys(), ...checkpointsIn.keys()]);
    const periods = [...starts]
      .sort((a, b) => a - b)
      .map((day) => ({
        ...this.#periodOf(day, days, options.by ?? "day", cellsIn.get(day) ?? []),
        merges: mergesIn.get(day)?.length ?? 0,
        checkpoints: (checkpointsIn.get(day) ?? []).map(({ name, at }) => ({ name, at })),
      }));
    return { branch: found.branch.name, timeZone: days.timeZone, periods };
  }

  branchSummaries({ deleted = false }: BranchSummaryOptions = {}): Promise<readonly BranchSummary[]> {
    return new BranchSummaries(this.#services).list(deleted);
  }

  async facets(options: FacetOptions = {}): Promise<Facets> {
    const { finder, index, now } = this.#services;
    const { state } = await finder.find(options);
    const facets = await facetsOf(index.states.metadata(state, "with"), options, now());
    return { ...facets, conflicts: index.states.counts(state).conflicts };
  }

  async lastFound(query: string, options: LastFoundOptions = {}): Promise<FoundBefore | undefined> {
    const { finder, index, reader } = this.#services;
    const found = await finder.find(options.branch === undefined ? {} : { branch: options.branch });
    return await lastFound(query, options, { found, reader, index });
  }

  #periodOf(
    day: number,
    days: LocalDays,
    unit: DayUnit,
    cells: readonly ActivityCell[],
  ): Omit<ActivityPeriod, "merges" | "checkpoints"> {
    const [, next] = days.periodOf(day, unit);
    const byAuthor = new Map<string, ActivityPeriod["by"][number]>();
    for (const { author, count } of cells) {
      const { agent, replica } = this.#services.index.activity.authorOf(author);
      const key = JSON.stringify([agent, replica]);
      const before = byAuthor.get(key)?.count ?? 0;
      byAuthor.set(key, { ...(agent === undefined ? {} : { agent }), replica, count: before + count });
    }
    return {
      ...{ day: dayText(day), from: days.startOf(day), until: days.startOf(next), ...countsOf(cells) },
      by: [...byAuthor.values()].sort((a, b) => b.count - a.count),
    };
  }

  async episodes(options: EpisodeOptions = {}): Promise<EpisodePage> {
    const limit = checkedLimit(options.limit);
    const happened = await this.#happened(options);
    const drafts = await this.#drafts(happened, options);
    const start = startAfter(drafts, options.cursor);
    const page = drafts.slice(start, start + limit);
    const last = page.at(-1);
    const episodes = await Promise.all(page.map((draft) => this.#episodeOf(draft, happened)));
    const isMore = last !== undefined && start + limit < drafts.length;
    return { episodes, ...(isMore ? { cursor: cursorOf(last) } : {}) };
  }

  /** Newest first. */
  async #drafts(happened: Happened, options: EpisodeOptions): Promise<readonly EpisodeDraft[]> {
    const { found, days, cells, merges, checkpoints } = happened;
    const { activity } = this.#services.index;
    const { row } = found.state;
    const signed = await Promise.all(
      merges.map(async (merge) => ({
        ...{ ...merge, day: days.dayOf(merge.at), by: await this.#authorOfMerge(found, merge) },
        row: rowAt(row, merge.at),
      })),
    );
    const drafts: readonly EpisodeDraft[] = [
      ...writingEpisodes(cells, (author) => activity.authorOf(author)),
      ...mergeEpisodes(signed, cells),
      ...checkpoints.map(({ name, at, by }) => ({
        ...{ ...NO_ACTS, kind: "checkpoint" as const, key: name, name, day: days.dayOf(at), row, by },
        ...{ from: at, until: at, authors: [], types: [] },
      })),
    ];
    const isBy = labelTest({ agent: options.agent });
    const devices = [options.device ?? []].flat();
    return drafts
      .filter(
        ({ by: { agent, replica } }) =>
          isBy({ tags: [], ...(agent === undefined ? {} : { by: { agent } }) }) &&
          (devices.length === 0 || devices.some((device) => replica === device)),
      )
      .sort(newestFirst);
  }

  async #authorOfMerge({ state }: FoundState, { hash }: MergeEvent): Promise<Episode["by"]> {
    const entry = this.#services.index.log.entry(state, hash);
    if (entry === undefined) return {};
    const [signed] = await withNotes([entry], this.#services.index.loadAndKeep);
    return signed?.by ?? {};
  }

  async #episodeOf(draft: EpisodeDraft, { found }: Happened): Promise<Episode> {
    const nameOf = async (id: BranchId): Promise<string | undefined> =>
      (await this.#services.directory.all()).find((known) => known.id === id)?.name;
    return episodeOf(draft, {
      ...detailsOf(draft, this.#services.index.activity),
      branch: (await nameOf(draft.row.branch)) ?? found.branch.name,
      by: draft.by,
      source: draft.merge?.from === undefined ? undefined : await nameOf(draft.merge.from),
    });
  }

  async #happened({ branch, timeZone, since, until }: DaysOptions): Promise<Happened> {
    const { finder, index, checkpoints, now } = this.#services;
    const days = new LocalDays(timeZone);
    const [begin, end] = [await startOf(since, now()), await endOf(until, now())];
    const found = await finder.find({ branch });
    const [first, last] = [begin, end].map((at) => (at === undefined ? undefined : days.dayOf(at)));
    const isAsked = (day: number): boolean =>
      day >= (first ?? Number.NEGATIVE_INFINITY) && day <= (last ?? Number.POSITIVE_INFINITY);
    const { row } = found.state;
    const made = (await checkpoints.all()).filter(
      ({ entry, state }) => entry.branch === found.branch.id && entry.cause === "manual" && state === "kept",
    );
    return {
      ...{ found, days },
      cells: index.activity.cells(row, days).filter(({ day }) => isAsked(day)),
      merges: index.activity.merges(row).filter(({ at }) => isAsked(days.dayOf(at))),
      checkpoints: made
        .map(({ name, entry, text }) => ({ name, at: entry.at, by: text.author ?? { replica: entry.by } }))
        .filter(({ at }) => isAsked(days.dayOf(at))),
    };
  }
}

/** Of the branch and those it came from the one on which a merge was made. */
function rowAt(row: EpisodeDraft["row"], at: number): EpisodeDraft["row"] {
  return row.parent !== undefined && at <= row.sharedUntil ? rowAt(row.parent, at) : row;
}

function checkedLimit(limit = DEFAULT_EPISODES): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_EPISODES) return limit;
  throw new CambiumError("BAD_INPUT", `limit has to be a whole number from 1 to ${MOST_EPISODES}.`);
}

const cursorOf = ({ until, key }: EpisodeDraft): string =>
  Buffer.from(JSON.stringify([until, key])).toString("base64url");

/** The episode itself may have grown since, and then stands earlier. */
function startAfter(drafts: readonly EpisodeDraft[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const place = placeIn(cursor);
  const at = drafts.findIndex((draft) => newestFirst(draft, place) > 0);
  return at === -1 ? drafts.length : at;
}

function placeIn(cursor: string): EpisodeDraft {
  try {
    const [until, key] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as [unknown, unknown];
    if (typeof until === "number" && typeof key === "string") return { until, key } as EpisodeDraft;
  } catch {
    // Said below.
  }
  throw new CambiumError("BAD_INPUT", "The cursor is damaged; start the list again without it.");
}
