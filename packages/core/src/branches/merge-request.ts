/**
 * What a merge of branches is asked for.
 *
 * @module
 */
import type { MemoryId } from "../format/ids.js";
import type { BranchState } from "../history/branch-state.js";
import type { WriteContext } from "../memory/operations.js";
import type { RecordLoader } from "../memory/read-memory.js";
import type { MemoryResolution, MergeStrategy, Resolver } from "./merge-decisions.js";
import type { BranchOrigin } from "./undo.js";

/** One side of a merge: a branch with everything that has happened on it. */
export interface MergeSide extends BranchOrigin {
  readonly state: BranchState;
}

export interface MergeRequest {
  readonly source: MergeSide;
  readonly target: MergeSide;
  readonly strategy: MergeStrategy;
  readonly resolutions: Readonly<Record<string, MemoryResolution>>;
  readonly resolver?: Resolver | undefined;
  /** What becomes of earlier merges that were undone. */
  readonly again?: boolean | undefined;
  readonly context: WriteContext;
  readonly newMemoryId: () => MemoryId;
  readonly load: RecordLoader;
}
