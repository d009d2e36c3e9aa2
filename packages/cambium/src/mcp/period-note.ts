/**
 * The period that a tool read from `since` and `until`, as a line of its answer.
 *
 * @module
 */
import type { PeriodOptions } from "../ask/period-used.js";

type Times = { readonly [Name in keyof PeriodOptions]: number | string | undefined };

/** Nothing where no time was named; numbers need no reading. */
export async function periodNote({ since, until }: Times, now: number): Promise<readonly string[]> {
  if (typeof since !== "string" && typeof until !== "string") return [];
  const { periodLine, periodOfOptions } = await import("../ask/period-used.js");
  const words = (time: number | string | undefined): string | undefined =>
    typeof time === "number" ? new Date(time).toISOString() : time;
  const period = await periodOfOptions({ since: words(since), until: words(until) }, now);
  return period === undefined ? [] : [`${periodLine(period, now)}.`];
}
