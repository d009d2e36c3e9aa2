/**
 * What programs that call Cambium may have to wait for, beside what was measured; p50 on a machine with two cores.
 *
 * @module
 */
import type { Figure } from "../reference/budgets.ts";
import { quantiles } from "../support/statistics.ts";

export const BUDGETS_MS = {
  mcpAlone: 700,
  mcpThroughDaemon: 250,
  verbThroughDaemon: 120,
  writeThroughDaemon: 5,
  addedToWrite: 3,
} as const;

/** For a model that reads the list with every request. */
export const LEAN_TOKENS = 2_400;

export const figureOf = (operation: string, valuesMs: readonly number[], budget?: number): Figure => ({
  operation,
  budget,
  ...quantiles(valuesMs),
});
