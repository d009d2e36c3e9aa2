/**
 * A space at a glance: what happened when, what there is, and how far branches have gone. Answered from the index, for
 * pages and dashboards that show long histories.
 *
 * @module
 */
import type { Author, ChangeHash, FilterLabel, LabelValues, MemoryId } from "@cambium/core";
import { date, flag, oneOf, text } from "../arguments/shapes.js";
import {
  AT_REF,
  FILTER,
  ON_BRANCH,
  PAGE,
  type SignaturesOf,
  taking,
  values,
} from "../arguments/signature.js";
import type { BranchInfo } from "./branches.js";
import type { AtRef, MemoryFilter, OnBranch } from "./memories.js";
import type {
  ProposalDecisionOptions,
  ProposalDecisionPage,
  ProposalOptions,
  ProposalPage,
} from "./proposals.js";

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

/** Which branches. */
export interface BranchSummaryOptions {
  /** Also the deleted ones. */
  readonly deleted?: boolean | undefined;
}

/** How a branch differs from the one it was made from. */
export interface BranchSummary
  extends Pick<
    BranchInfo,
    "id" | "name" | "status" | "isHere" | "parent" | "forkedAt" | "startsAt" | "merged" | "last" | "notice"
  > {
  /** Memories that it shows, that its parent did not show when it was made, and does not show the same by now. */
  readonly created?: number;
  /** Likewise, memories that both show, and otherwise. Absent, like all of these, for `main` and what is not here. */
  readonly changed?: number;
  /** Likewise, memories that were hidden on the branch. */
  readonly hidden?: number;
  /** How many of all these its parent has changed since as well: a merge may have to decide them. */
  readonly onBothSides?: number;
  /** Open conflicts in memories that were written on it. */
  readonly conflicts?: number;
}

/** Which memories are counted. All given conditions have to match. */
export interface FacetOptions extends AtRef, MemoryFilter {}

/** A value that memories have. */
export interface Facet {
  /** The label, or for devices the id of the replica. */
  readonly value: string;
  /** How many have it. */
  readonly count: number;
}

/** How many memories there are, and of what kinds. Each label is counted as if nothing were asked of that label. */
export interface Facets extends Readonly<Record<FilterLabel | "device", readonly Facet[]>> {
  /** Memories that match. */
  readonly total: number;
  /** Forgotten ones that would match. */
  readonly forgotten: number;
  /** Memories of the state with open conflicts, whatever is asked for. */
  readonly conflicts: number;
}

/** What is searched. All given conditions have to match. */
export interface LastFoundOptions extends OnBranch, MemoryFilter {}

/** A time at which a query found something. */
export interface FoundBefore {
  /** The last moment of it, in milliseconds since 1970. `recall` finds the same with `at`. */
  readonly at: number;
  /** When that changed. */
  readonly until: number;
  /** How many memories it found: 1,000 at most. */
  readonly count: number;
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
  /**
   * Returns how each branch differs from the one it was made from. `main` comes first, then the others by name.
   *
   * @example
   * await agent.branches.create("work");
   * await agent.remember({ content: "Tea at four" }, { branch: "work" });
   * const [, work] = await space.branchSummaries();
   * expect([work.name, work.created, work.changed]).toEqual(["work", 1, 0]);
   */
  branchSummaries(options?: BranchSummaryOptions): Promise<readonly BranchSummary[]>;
  /**
   * Counts memories, and the labels that they have, at any ref.
   *
   * @throws {CambiumError} BAD_REF, BAD_INPUT
   * @example
   * await agent.remember({ content: "Tea at four", category: "habit" });
   * const { total, category } = await space.facets();
   * expect([total, category]).toEqual([1, [{ value: "habit", count: 1 }]]);
   */
  facets(options?: FacetOptions): Promise<Facets>;
  /**
   * Returns when a query found something before the present, last; undefined if it never did. For a query that finds
   * nothing now.
   *
   * @throws {CambiumError} BAD_INPUT when the query is empty
   * @example
   * const { id } = await agent.remember({ content: "Tea at four" });
   * await agent.forget(id);
   * expect((await space.lastFound("tea")).count).toBe(1);
   */
  lastFound(query: string, options?: LastFoundOptions): Promise<FoundBefore | undefined>;
  /**
   * Returns what agents propose whose writes the policy lets them only propose, newest first.
   *
   * @throws {CambiumError} BRANCH_NOT_FOUND, BAD_INPUT
   * @example
   * await space.policy.set("write", "agent", "propose");
   * await space.as({ agent: "cursor" }).remember({ content: "Tea at four" });
   * const { proposals, waiting } = await space.proposals();
   * expect([proposals[0].kind, waiting, (await space.list()).memories.length]).toEqual(["added", 1, 0]);
   */
  proposals(options?: ProposalOptions): Promise<ProposalPage>;
  /**
   * Returns what was decided about proposals on any device: who accepted, edited or rejected what. Newest first.
   *
   * @throws {CambiumError} BAD_INPUT
   * @example
   * await space.policy.set("write", "agent", "propose");
   * const { id } = await space.as({ agent: "cursor" }).remember({ content: "Tea at four" });
   * await space.as({}).acceptProposals([id]);
   * const { decisions } = await space.proposalDecisions();
   * expect(decisions.map(({ decision, agents }) => [decision, agents])).toEqual([["accept", ["cursor"]]]);
   */
  proposalDecisions(options?: ProposalDecisionOptions): Promise<ProposalDecisionPage>;
}

const DAYS = { ...ON_BRANCH, timeZone: text, since: date, until: date };

export default {
  activity: [taking({ ...DAYS, by: oneOf("day", "week", "month") })],
  episodes: [taking({ ...DAYS, ...PAGE, agent: values, device: values })],
  branchSummaries: [taking({ deleted: flag })],
  facets: [taking({ ...AT_REF, ...FILTER })],
  proposals: [taking({ ...ON_BRANCH, ...PAGE, agent: values })],
  proposalDecisions: [taking(PAGE)],
  lastFound: [["query", text], taking({ ...ON_BRANCH, ...FILTER })],
} satisfies SignaturesOf<Overview>;
