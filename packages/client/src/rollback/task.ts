/**
 * A rollback while it is planned.
 *
 * @module
 */
import type { MemoryId, MemoryReading, PlannedWrite } from "@cambium/core";
import type { KeptFields } from "../api.js";
import type { FoundState } from "../space/state-finder.js";
import type { RollbackSelection } from "./selection.js";

export type ReadMemory = (id: MemoryId) => Promise<MemoryReading | undefined>;

export interface RollbackPlan {
  readonly writes: readonly PlannedWrite[];
  readonly kept: readonly KeptFields[];
  /** Memories whose text of then is gone. They stay as they are. */
  readonly textsGone?: readonly MemoryId[];
  /** What is taken back, where that was chosen version by version. */
  readonly undoes?: { readonly changes: number; readonly since: number } | undefined;
}

/** Where the branch stands, and where it goes. */
export interface RollbackTask {
  readonly now: FoundState;
  readonly past: FoundState | undefined;
  readonly selection: RollbackSelection;
  readonly reason: string | undefined;
  /** Whether the memories were chosen by what they speak of. */
  readonly isByTopic: boolean;
}
