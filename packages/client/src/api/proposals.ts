/**
 * Proposals: what agents wrote whom the policy lets propose, until somebody accepts or rejects it.
 *
 * @module
 */
import type {
  Author,
  CallerEntry,
  ChangeHash,
  DecidedProposal,
  LabelValues,
  Memory,
  MemoryId,
  ProposalVerdict,
  StateField,
} from "@cambium/core";
import type { OnBranch, ReviseInput } from "./memories.js";

/** Which proposals. */
export interface ProposalOptions extends OnBranch {
  /** Only what this agent proposes, or any of these. */
  readonly agent?: LabelValues | undefined;
  /** 1 to 1,000. Default: 100. */
  readonly limit?: number | undefined;
  /** `ProposalPage.cursor` of the page before. Default: the first page. */
  readonly cursor?: string | undefined;
}

/** What would happen to one memory. */
export interface Proposal {
  /** The memory. */
  readonly id: MemoryId;
  /** What would become of it. */
  readonly kind: "added" | "changed" | "hidden";
  /** Who proposes it: the author of the newest version. */
  readonly by: Author;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** The memory as it is. Absent for one that would be added. */
  readonly before?: Memory;
  /** The memory as it would be. */
  readonly after: Memory;
  /** What would change. Empty for one that would be added or hidden. */
  readonly fields: readonly StateField[];
  /** Somebody has changed the memory since: accepting decides for the proposal. */
  readonly isContested: boolean;
}

/** Some proposals. */
export interface ProposalPage {
  /** Newest first. */
  readonly proposals: readonly Proposal[];
  /** How many wait in all. */
  readonly waiting: number;
  /** The branch on which they are. Absent while there is none. */
  readonly branch?: string;
  /** Gets the next page. Absent on the last one. */
  readonly cursor?: string;
}

/** What is decided. */
export interface DecideOptions extends OnBranch {
  /** Kept with what is written. */
  readonly reason?: string | undefined;
}

/** What is accepted. */
export interface AcceptOptions extends DecideOptions {
  /** What else is to be changed in it before. Only for one proposal. */
  readonly edit?: { readonly [Field in keyof ReviseInput]?: ReviseInput[Field] | undefined } | undefined;
  /** By memory, the `record` of the proposal as it was seen: refused where it has moved on. */
  readonly expect?: Readonly<Record<string, string>> | undefined;
}

/** What was decided. */
export interface DecidedProposals {
  /** The memories. */
  readonly ids: readonly MemoryId[];
  /** What brought them to the branch, one change for each author: `undo` takes each back. None where they were rejected. */
  readonly changes: readonly ChangeHash[];
}

/** Which decisions about proposals. */
export interface ProposalDecisionOptions {
  /** 1 to 1,000. Default: 100. */
  readonly limit?: number | undefined;
  /** `ProposalDecisionPage.cursor` of the page before. Default: the first page. */
  readonly cursor?: string | undefined;
}

/** What somebody decided about proposals, on any device. */
export interface ProposalDecision {
  /** Names the decision. */
  readonly id: string;
  /** What was decided: `edit` was accepted in other words. */
  readonly decision: ProposalVerdict;
  /** Who decided, and on which device. */
  readonly by: CallerEntry;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** How many proposals were decided at once, without those of memories that are concealed. */
  readonly count: number;
  /** The first 16 of them. The first 3 with how they begin, where those words can be read. */
  readonly proposals: readonly (DecidedProposal & { readonly text?: string })[];
  /** The agents that had proposed them, at most 16. */
  readonly agents: readonly string[];
}

/** Some decisions about proposals. */
export interface ProposalDecisionPage {
  /** Newest first. */
  readonly decisions: readonly ProposalDecision[];
  /** Gets the next page. Absent on the last one. */
  readonly cursor?: string;
}
