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
}

/** Where the branch stands, and where it goes. */
export interface RollbackTask {
  readonly now: FoundState;
  readonly past: FoundState | undefined;
  readonly selection: RollbackSelection;
  readonly reason: string | undefined;
}
