/**
 * One state of one branch: its history, since when each change counts, and which of them had happened.
 *
 * @module
 */
import type { EffectiveTimes } from "./effective-time.js";
import type { ChangeSet, History } from "./history.js";

export interface BranchState {
  readonly history: History;
  readonly times: EffectiveTimes;
  /** Which changes have happened; undefined means all. */
  readonly set?: ChangeSet | undefined;
}
