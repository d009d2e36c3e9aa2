/**
 * Dates as callers give them: milliseconds since 1970, or words. "3 days" and "24h" are so long ago.
 *
 * @module
 */
import { agoIfBare, CambiumError, parseStart, parseTime } from "@cambium/core";

export type DateOption = number | string | undefined;

/** The last moment a `Date` can tell. */
const MAX_TIME = 8.64e15;

/**
 * A day, a month or a year begins with its first moment.
 *
 * @throws {CambiumError} BAD_INPUT, and BAD_REF also for words that name a time to come
 */
export async function startOf(date: DateOption, now: number): Promise<number | undefined> {
  if (typeof date !== "string") return checked(date);
  const start = await parseStart(agoIfBare(date), now);
  if (start <= now) return start;
  throw new CambiumError(
    "BAD_REF",
    `"${date}" begins ${new Date(start).toISOString()}, which is still to come.`,
    {
      hint: "Name a time that has begun.",
    },
  );
}

/** A day, a month or a year lasts to its end. @throws {CambiumError} BAD_INPUT, BAD_REF */
export const endOf = async (date: DateOption, now: number): Promise<number | undefined> =>
  typeof date === "string" ? await parseTime(agoIfBare(date), now) : checked(date);

function checked(date: number | undefined): number | undefined {
  if (date === undefined || (typeof date === "number" && Math.abs(date) <= MAX_TIME)) return date;
  throw new CambiumError("BAD_INPUT", "A date is given in milliseconds since 1970, or in words.");
}
