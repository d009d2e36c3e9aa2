/**
 * `--since`, `--until` and `--on`: the same words everywhere, and each answer says what they were read as.
 *
 * @module
 */
import { omitUndefined } from "@cambium/core/text";
import { type PeriodUsed, periodLine, periodOfOptions, periodUsed } from "../ask/period-used.js";
import type { Context } from "./context.js";
import type { OptionsOf, OptionTable } from "./option-table.js";

/** @param what - what the period chooses from, such as "changes" */
export const periodOptions = <More>(command: OptionTable<More>, what: string) =>
  command
    .option("--since <time>", `only ${what} from then on: 2026-08-01, "last 24 hours", friday`)
    .option("--until <time>", `only ${what} until then; a day counts to its end`)
    .option("--on <period>", 'in place of both: yesterday, "last week", "between January and March"');

export interface PeriodRead {
  readonly since?: number;
  readonly until?: number;
  /** For `--json`. */
  readonly document: { readonly period?: PeriodUsed };
  /** For people; empty where no time was named. */
  readonly lines: readonly string[];
}

/** @throws {CambiumError} BAD_REF, BAD_INPUT */
export async function readPeriodOptions(
  options: OptionsOf<typeof periodOptions>,
  { io, style }: Context,
): Promise<PeriodRead> {
  const now = io.now();
  const period = await periodOfOptions(options, now);
  if (period === undefined) return { document: {}, lines: [] };
  return {
    ...omitUndefined({ since: period.from, until: period.until }),
    document: { period: periodUsed(period, now) },
    lines: [style.colors.dim(periodLine(period, now))],
  };
}
