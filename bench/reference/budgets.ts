/**
 * The budgets of the design, for p50 on a machine with two cores, beside what was measured.
 *
 * @module
 */
import type { Quantiles } from "../support/statistics.ts";

export interface Figure extends Partial<Quantiles> {
  readonly operation: string;
  /** Milliseconds unless `unit` says otherwise. */
  readonly budget?: number | undefined;
  readonly unit?: "ms" | "×" | undefined;
}

interface Budget {
  readonly operation: string;
  readonly budget: number;
  readonly unit?: "ms" | "×";
}

/** Named as the measuring code names them. */
export const BUDGETS = {
  remember: { operation: "durable write: remember", budget: 2 },
  revise: { operation: "durable write: revise", budget: 2 },
  get: { operation: "read one memory", budget: 0.2 },
  recall: { operation: "recall top 10", budget: 6 },
  stateAtDate: { operation: "state at a date, all listed", budget: 25 },
  stateAtRef: { operation: "state at heads, all listed", budget: 25 },
  diff: { operation: "diff of two states, 1/30 of the changes apart", budget: 25 },
  checkpoint: { operation: "checkpoint", budget: 3 },
  branch: { operation: "branch create", budget: 5 },
  merge: { operation: "merge, 500 + 500 memories", budget: 120 },
  rollback: { operation: "soft rollback of 500 changes", budget: 150 },
  open: { operation: "open replica and space, new process", budget: 300 },
  firstRecall: { operation: "process start to first recall", budget: 300 },
  shown: { operation: "change shown on another device", budget: 15 },
  disk: { operation: "disk over raw content", budget: 1.6, unit: "×" },
} as const satisfies Readonly<Record<string, Budget>>;

export type Operation = keyof typeof BUDGETS;

export const figure = (operation: Operation, measured: Partial<Quantiles>): Figure => ({
  ...(BUDGETS[operation] as Budget),
  ...measured,
});
