/**
 * What was decided about proposals, as the catalog keeps it: an entry for each decision, so that every device lists the
 * same. It names memories and versions, and holds no words of them.
 *
 * @module
 */
import type { BranchId, MemoryId, RecordHash } from "../format/ids.js";
import { isObject } from "../format/is-object.js";
import { type CallerEntry, isCallerEntry } from "./requests.js";

/** What became of proposals: `edit` was accepted in other words. */
export type ProposalVerdict = "accept" | "edit" | "reject";

/** One of the proposals that were decided. */
export interface DecidedProposal {
  /** The memory. */
  readonly id: MemoryId;
  /** What would become, or has become, of it. */
  readonly kind: "added" | "changed" | "hidden";
  /** The version that was decided about. */
  readonly record: RecordHash;
}

/** A decision about proposals, as the catalog keeps it. */
export interface ProposalDecisionEntry {
  /** What was decided. */
  readonly decision: ProposalVerdict;
  /** Who decided. */
  readonly by: CallerEntry;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The branch of proposals, which has the versions. */
  readonly branch: BranchId;
  /** How many proposals were decided at once. */
  readonly count: number;
  /** The first 16 of them. */
  readonly proposals: readonly DecidedProposal[];
  /** Names of the agents that had proposed them, at most 16. */
  readonly agents: readonly string[];
}

/** So many proposals, and agents, a decision names. */
export const MOST_DECIDED_NAMED = 16;

const PREFIX = "decided:";
const VERDICTS: readonly unknown[] = ["accept", "edit", "reject"] satisfies readonly ProposalVerdict[];
const KINDS: readonly unknown[] = ["added", "changed", "hidden"] satisfies readonly DecidedProposal["kind"][];

/** The name of the setting in which a decision is kept. */
export const proposalDecisionKey = (id: string): string => PREFIX + id;

/** Returns the id of the decision that a setting is; undefined for other settings. */
export const proposalDecisionOfKey = (key: string): string | undefined =>
  key.startsWith(PREFIX) ? key.slice(PREFIX.length) : undefined;

/** Returns undefined when the entry is none that this version can read. */
export function parseProposalDecision(value: unknown): ProposalDecisionEntry | undefined {
  if (!isObject(value)) return undefined;
  const { decision, by, at, branch, count, proposals, agents } = value;
  const isRead =
    VERDICTS.includes(decision) &&
    isCallerEntry(by) &&
    typeof at === "number" &&
    typeof branch === "string" &&
    typeof count === "number" &&
    Array.isArray(proposals) &&
    proposals.every(isDecided) &&
    Array.isArray(agents) &&
    agents.every((name) => typeof name === "string");
  return isRead ? (value as unknown as ProposalDecisionEntry) : undefined;
}

const isDecided = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.id === "string" &&
  typeof value.record === "string" &&
  KINDS.includes(value.kind);
