/**
 * A space at a glance: what happened when, what there is, and how far branches have gone. Answered from the index, for
 * pages and dashboards that show long histories.
 *
 * @module
 */
import type { Author, ChangeHash, LabelValues, MemoryId } from "@cambium/core";
import { date, oneOf, text } from "../arguments/shapes.js";
import { ON_BRANCH, PAGE, type SignaturesOf, taking, values } from "../arguments/signature.js";
import type { OnBranch } from "./memories.js";

/** Which days of a branch, and of which clock. */
export interface DaysOptions extends OnBranch {
  /** Whose days: a name such as `Europe/Zurich`. Default: that of this device. */
  readonly timeZone?: string | undefined;
  /** From that day on. */
  readonly since?: number | string | undefined;
  /** To that day, with all of it. */
  readonly until?: number | string | undefined;
}

/** How what happened is counted. */
export interface ActivityOptions extends DaysOptions {
  /** How long a period is; weeks begin on Monday. Default: a day. */
  readonly by?: "day" | "week" | "month" | undefined;
}

/** What happened to how many memories. */
export interface ActCounts {
  /** Shown for the first time. */
  readonly added: number;
  /** Shown otherwise than before. */
  readonly changed: number;
  /** Hidden: forgotten, or taken back. */
  readonly hidden: number;
  /** Shown again. */
  readonly restored: number;
}

/** A period in which something happened. */
export interface ActivityPeriod extends ActCounts {
  /** Its first day, such as `2026-03-03`. */
  readonly day: string;
  /** Its beginning, in milliseconds since 1970. */
  readonly from: number;
  /** Its end: the beginning of the next one. */
  readonly until: number;
  /** Merges into the branch. */
  readonly merges: number;
  /** Checkpoints that somebody made, oldest first. */
  readonly checkpoints: readonly { readonly name: string; readonly at: number }[];
  /** Who did so much of it, most first. */
  readonly by: readonly (Pick<Author, "agent" | "replica" | "device"> & {
    /** To how many memories. */
    readonly count: number;
  })[];
}

/** What happened on a branch, in periods. */
export interface Activity {
  /** The branch. */
  readonly branch: string;
  /** Whose days these are. */
  readonly timeZone: string;
  /** Oldest first, only those in which something happened. */
  readonly periods: readonly ActivityPeriod[];
}

/** Which episodes. All given conditions have to match. */
export interface EpisodeOptions extends DaysOptions {
  /** Only what this agent did, or any of these. */
  readonly agent?: LabelValues | undefined;
  /** Only what was written on this device (its replica's id), or any of these. */
  readonly device?: LabelValues | undefined;
  /** 1 to 1,000. Default: 50. */
  readonly limit?: number | undefined;
  /** `EpisodePage.cursor` of the page before. Default: the first page. */
  readonly cursor?: string | undefined;
}

/** What one author did on one day in one way; a merge; or a checkpoint. */
export interface Episode extends ActCounts {
  /** What kind of act it was. */
  readonly kind: "write" | "import" | "undo" | "rollback" | "merge" | "checkpoint";
  /** Its day, such as `2026-03-03`. */
  readonly day: string;
  /** When the first of it happened, in milliseconds since 1970. `log` lists what happened from then to `until`. */
  readonly from: number;
  /** When the last of it happened. */
  readonly until: number;
  /** The branch it was done on: this one, or one that this was made from later. */
  readonly branch: string;
  /** By whom, as far as it is known. */
  readonly by: Partial<Author>;
  /** Categories of its newest memories, most first: five at most. */
  readonly categories: readonly { readonly name: string; readonly count: number }[];
  /** Its newest memories, as it left them: three at most. */
  readonly memories: readonly { readonly id: MemoryId; readonly text: string }[];
  /** Of a merge. */
  readonly change?: ChangeHash;
  /** Of a merge: the branch that was merged. */
  readonly source?: string;
  /** Of a checkpoint. */
  readonly name?: string;
}

/** Some episodes. */
export interface EpisodePage {
  /** Newest first. */
  readonly episodes: readonly Episode[];
  /** Gets the next page. Absent on the last one. */
  readonly cursor?: string;
}

/** Looking at a space as a whole. */
export interface Overview {
  /**
   * Counts what happened on a branch, by day, week or month.
   *
   * @throws {CambiumError} BAD_REF, BAD_INPUT
   * @example
   * await agent.remember({ content: "Tea at four" });
   * const { periods } = await space.activity({ timeZone: "UTC" });
   * expect(periods.map(({ added }) => added)).toEqual([1]);
   */
  activity(options?: ActivityOptions): Promise<Activity>;
  /**
   * Returns what happened on a branch in few rows: what one author did on one day is one of them. Newest first, in
   * pages.
   *
   * @throws {CambiumError} BAD_REF, BAD_INPUT
   * @example
   * for (const content of ["Tea at four", "Cake at five"]) await agent.remember({ content });
   * const { episodes } = await space.episodes();
   * expect(episodes.map(({ added }) => added)).toEqual([2]);
   */
  episodes(options?: EpisodeOptions): Promise<EpisodePage>;
}

const DAYS = { ...ON_BRANCH, timeZone: text, since: date, until: date };

export default {
  activity: [taking({ ...DAYS, by: oneOf("day", "week", "month") })],
  episodes: [taking({ ...DAYS, ...PAGE, agent: values, device: values })],
} satisfies SignaturesOf<Overview>;
