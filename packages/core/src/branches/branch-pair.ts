/**
 * Two branches as planning a merge sees them: what differs, and what either says about the memories that do.
 * An index answers it from the difference alone; `whole-pair.ts` from both histories in memory.
 *
 * @module
 */
import type { ActorId, BranchId, ChangeHash, MemoryId } from "../format/ids.js";
import type { ChangeStatement } from "../format/message.js";
import type { ReadableState } from "../history/branch-state.js";

/** Which of the two branches is meant. */
export type MergeSide = "source" | "target";

/** A change that merged another branch in, or took changes back. */
export interface MergeOrUndo {
  /** Names the change on every branch that has it. */
  readonly hash: ChangeHash;
  /** Who made it, and on which branch. */
  readonly actor: ActorId;
  /** The changes that it follows. */
  readonly deps: readonly ChangeHash[];
  /** What it says about itself; its `type` is `merge` or `undo`. */
  readonly statement: ChangeStatement;
  /** Milliseconds since 1970, effective on the branch it was asked of. */
  readonly at: number;
}

/** One memory before the merge on either side, and with everything both know of it. */
export interface MergeStates {
  /** The memory on the source. */
  readonly source: ReadableState;
  /** The memory on the target. */
  readonly target: ReadableState;
  /** What comes from the source counts from the moment of the merge. */
  readonly union: ReadableState;
}

/** The source and the target of a merge. */
export interface BranchPair {
  /** The branch that is merged. It stays as it is. */
  readonly source: BranchId;
  /** The branch that is merged into. */
  readonly target: BranchId;
  /** Whether the target has every change of the source. */
  readonly isUpToDate: boolean;
  /** The memories that changes of the source wrote which the target lacks. */
  readonly arriving: readonly MemoryId[];
  /** Those a member vouches for, dependencies first. */
  mergesAndUndos(side: MergeSide): readonly MergeOrUndo[];
  /** The memories that one of these changes wrote. */
  memoriesOf(side: MergeSide, change: ChangeHash): readonly MemoryId[];
  /** Returns what reading the memory needs, on either side and with everything both know. */
  states(id: MemoryId): MergeStates;
  /** What reading a memory needs when exactly `heads`, and what they build on, had happened. */
  stateAt(side: MergeSide, heads: readonly ChangeHash[], id: MemoryId): ReadableState;
}
