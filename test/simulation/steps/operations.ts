/**
 * All operations, and how often each comes.
 *
 * @module
 */
import { BRANCHING } from "./branching.ts";
import type { Operation } from "./operation.ts";
import { READING } from "./reading.ts";
import type { Weighted } from "./step.ts";
import { WRITING } from "./writing.ts";

const ALL = { ...WRITING, ...BRANCHING, ...READING };

const WEIGHTS: Readonly<Record<keyof typeof ALL, number>> = {
  remember: 16,
  "remember-anywhere": 2,
  "remember-many": 2,
  "revise-at-once": 3,
  "remember-long": 1,
  revise: 16,
  "revise-again": 2,
  forget: 4,
  restore: 5,
  combine: 2,
  split: 2,
  resolve: 3,
  import: 2,
  "branch-create": 5,
  "branch-rename": 1,
  "branch-delete": 1,
  merge: 8,
  "merge-tried": 2,
  undo: 5,
  "undo-older": 3,
  rollback: 4,
  checkpoint: 2,
  observe: 6,
  "observe-memory": 2,
  "observe-diff": 2,
  "read-as-it-moves": 2,
  read: 2,
  sync: 4,
  pending: 4,
};

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(Object.entries(ALL));

export const OPERATION_WEIGHTS: readonly Weighted[] = Object.entries(WEIGHTS).map(([kind, weight]) => ({
  kind,
  weight,
}));
