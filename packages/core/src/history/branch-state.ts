/**
 * One state of one branch: its history, since when each change counts, and which of them had happened.
 *
 * @module
 */
import type { EffectiveTimes } from "./effective-time.js";
import type { ChangeSet, History, KeyHistory } from "./history.js";

/** What a branch holds, or held at some point. */
export interface BranchState<Known extends KeyHistory = History> {
  /** All changes that are here, also those after the state. */
  readonly history: Known;
  /** By position in the history: since when each change counts on this branch. */
  readonly times: EffectiveTimes;
  /** Which changes have happened; undefined means all. */
  readonly set?: ChangeSet | undefined;
}

/** Enough of a state to read memories. */
export type ReadableState = BranchState<KeyHistory>;
