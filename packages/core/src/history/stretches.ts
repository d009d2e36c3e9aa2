/**
 * Stretches of the calendar: days, weeks from Monday, months, and the time until now.
 * Days are those of the machine's time zone.
 *
 * @module
 */

/** Milliseconds since 1970, both inclusive. */
export interface Stretch {
  readonly start: number;
  readonly last: number;
}

export type Unit = "second" | "minute" | "hour" | "day" | "week" | "month" | "quarter" | "year";

const EXACT_MS: Readonly<Partial<Record<Unit, number>>> = { second: 1000, minute: 60_000, hour: 3_600_000 };
const DAYS: Readonly<Partial<Record<Unit, number>>> = { day: 1, week: 7 };
const MONTHS: Readonly<Partial<Record<Unit, number>>> = { month: 1, quarter: 3, year: 12 };

/** The same time of day so many units earlier; of a month that is too short, its last day. */
export function before(at: number, count: number, unit: Unit): number {
  const exact = EXACT_MS[unit];
  if (exact !== undefined) return at - count * exact;
  const date = new Date(at);
  const dayCount = DAYS[unit];
  if (dayCount !== undefined) return date.setDate(date.getDate() - count * dayCount);
  const day = date.getDate();
  date.setDate(1);
  date.setMonth(date.getMonth() - count * (MONTHS[unit] ?? 1));
  const longest = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate();
  return date.setDate(Math.min(day, longest));
}

/** The whole unit that the moment falls in. */
export function unitAround(at: number, unit: Unit): Stretch {
  const date = new Date(at);
  switch (unit) {
    case "week":
      return days(date, -sinceMonday(date), 7);
    case "month":
      return months(date, date.getMonth(), 1);
    case "quarter":
      return months(date, date.getMonth() - (date.getMonth() % 3), 3);
    case "year":
      return months(date, 0, 12);
    case "day":
      return days(date, 0, 1);
    default: {
      // The minutes since the hour of zones that are half an hour off follow from the date.
      const into = date.getMilliseconds() + 1000 * date.getSeconds() + 60_000 * date.getMinutes();
      const ms = EXACT_MS[unit] ?? 1000;
      const start = at - (into % ms);
      return { start, last: start + ms - 1 };
    }
  }
}

export const sinceMonday = (date: Date): number => (date.getDay() + 6) % 7;

export const moment = (at: number): Stretch => ({ start: at, last: at });

export const hours = (date: Date, first: number, end: number): Stretch =>
  stretch((hour) => new Date(date.getFullYear(), date.getMonth(), date.getDate(), hour), first, end);

/** @param from - days after `date` */
export const days = (date: Date, from: number, count: number): Stretch =>
  stretch((day) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + day), from, from + count);

/** @param from - months count from 0 */
export const months = (date: Date, from: number, count: number): Stretch =>
  stretch((month) => new Date(date.getFullYear(), month, 1), from, from + count);

const stretch = (dateAt: (step: number) => Date, first: number, end: number): Stretch => ({
  start: dateAt(first).getTime(),
  last: dateAt(end).getTime() - 1,
});
