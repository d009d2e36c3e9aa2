/**
 * Two branches as planning a merge sees them: what differs, and what either says about the memories that do.
 * An index answers it from the difference alone; `whole-pair.ts` from both histories in memory.
 *
 * @module
 */
import type { ActorId, BranchId, ChangeHash, MemoryId } from "../format/ids.js";
import type { ChangeStatement } from "../format/message.js";
import type { ReadableState } from "../history/branch-state.js";

export type MergeSide = "source" | "target";

/** A change that merged another branch in, or took changes back. */
export interface MergeOrUndo {
  readonly hash: ChangeHash;
  readonly actor: ActorId;
  readonly deps: readonly ChangeHash[];
  readonly statement: ChangeStatement;
  /** Milliseconds since 1970, effective on the branch it was asked of. */
  readonly at: number;
}

/** One memory before the merge on either side, and with everything both know of it. */
export interface MergeStates {
  readonly source: ReadableState;
  readonly target: ReadableState;
  /** What comes from the source counts from the moment of the merge. */
  readonly union: ReadableState;
}

export interface BranchPair {
  readonly source: BranchId;
  readonly target: BranchId;
  /** Whether the target has every change of the source. */
  readonly isUpToDate: boolean;
  /** The memories that changes of the source wrote which the target lacks. */
  readonly arriving: readonly MemoryId[];
  /** Those a member vouches for, dependencies first. */
  mergesAndUndos(side: MergeSide): readonly MergeOrUndo[];
  /** The memories that one of these changes wrote. */
  memoriesOf(side: MergeSide, change: ChangeHash): readonly MemoryId[];
  states(id: MemoryId): MergeStates;
  /** What reading a memory needs when exactly `heads`, and what they build on, had happened. */
  stateAt(side: MergeSide, heads: readonly ChangeHash[], id: MemoryId): ReadableState;
}
