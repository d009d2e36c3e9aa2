/**
 * Dates as callers give them: milliseconds since 1970, or words.
 *
 * @module
 */
import { parseStart, parseTime } from "@cambium/core";

export type DateOption = number | string | undefined;

/** A day, a month or a year begins with its first moment. */
export const startOf = (date: DateOption, now: number): number | undefined =>
  typeof date === "string" ? parseStart(date, now) : date;

/** A day, a month or a year lasts to its end. */
export const endOf = (date: DateOption, now: number): number | undefined =>
  typeof date === "string" ? parseTime(date, now) : date;
