/**
 * Dates as callers give them: milliseconds since 1970, or words.
 *
 * @module
 */
import { parseStart, parseTime } from "@cambium/core";

export type DateOption = number | string | undefined;

/** A day, a month or a year begins with its first moment. */
export const startOf = async (date: DateOption, now: number): Promise<number | undefined> =>
  typeof date === "string" ? await parseStart(date, now) : date;

/** A day, a month or a year lasts to its end. */
export const endOf = async (date: DateOption, now: number): Promise<number | undefined> =>
  typeof date === "string" ? await parseTime(date, now) : date;
