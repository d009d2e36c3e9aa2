/**
 * What a merge of branches is asked for.
 *
 * @module
 */
import type { MemoryId } from "../format/ids.js";
import type { Memory } from "../memory/memory.js";
import type { WriteContext } from "../memory/operations.js";
import type { RecordLoader } from "../memory/read-memory.js";
import type { BranchPair } from "./branch-pair.js";
import type { MemoryResolution, MergeStrategy, Resolver } from "./merge-decisions.js";

/** @param sides - the memory on the source and on the target, as far as each has it */
export type Choice = (id: MemoryId, sides: readonly (Memory | undefined)[]) => boolean;

/** A merge, with everything that planning it needs. */
export interface MergeRequest {
  /** The source and the target. */
  readonly branches: BranchPair;
  /** Decides what `resolutions` does not. */
  readonly strategy: MergeStrategy;
  /** By memory id. They take precedence over the strategy. */
  readonly resolutions: Readonly<Record<string, MemoryResolution>>;
  /** Needed by the strategy `resolver`; otherwise not called. */
  readonly resolver?: Resolver | undefined;
  /** Which memories are merged; undefined for all. What is not chosen stays to be merged later. */
  readonly chooses?: Choice | undefined;
  /** What becomes of earlier merges that were undone. */
  readonly again?: boolean | undefined;
  /** Why. */
  readonly reason?: string | undefined;
  /** Who merges, and when. */
  readonly context: WriteContext;
  /** Called once for each second memory that `both` makes. */
  readonly newMemoryId: () => MemoryId;
  /** Opens a record of either branch. */
  readonly load: RecordLoader;
}
