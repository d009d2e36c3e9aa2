/**
 * One state of one branch: its history, since when each change counts, and which of them had happened.
 *
 * @module
 */
import type { EffectiveTimes } from "./effective-time.js";
import type { ChangeSet, History, KeyHistory } from "./history.js";

export interface BranchState<Known extends KeyHistory = History> {
  readonly history: Known;
  readonly times: EffectiveTimes;
  /** Which changes have happened; undefined means all. */
  readonly set?: ChangeSet | undefined;
}

/** Enough of a state to read memories. */
export type ReadableState = BranchState<KeyHistory>;
