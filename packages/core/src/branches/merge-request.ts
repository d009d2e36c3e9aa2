/**
 * What a merge of branches is asked for.
 *
 * @module
 */
import type { MemoryId } from "../format/ids.js";
import type { WriteContext } from "../memory/operations.js";
import type { RecordLoader } from "../memory/read-memory.js";
import type { BranchPair } from "./branch-pair.js";
import type { MemoryResolution, MergeStrategy, Resolver } from "./merge-decisions.js";

export interface MergeRequest {
  readonly branches: BranchPair;
  readonly strategy: MergeStrategy;
  readonly resolutions: Readonly<Record<string, MemoryResolution>>;
  readonly resolver?: Resolver | undefined;
  /** What becomes of earlier merges that were undone. */
  readonly again?: boolean | undefined;
  readonly context: WriteContext;
  readonly newMemoryId: () => MemoryId;
  readonly load: RecordLoader;
}
