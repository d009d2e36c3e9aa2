/**
 * The past as a row of bars: one for a week, or for a day.
 *
 * @module
 */
import { addDays, DAY_MS, startOfDay, weekOf } from "../i18n/dates.ts";

export interface Bar {
  /** Its first day. */
  readonly day: string;
  readonly count: number;
}

export interface Past {
  /** Of the first bar. */
  readonly first: string;
  readonly today: string;
  /** From the first day to today. */
  readonly days: number;
}

const LEAST_WEEKS = 12;
/** More bars than this are no longer told apart. */
const MOST_BARS = 156;

/** @returns whole weeks that end today, at least twelve of them */
export function pastOf(counts: ReadonlyMap<string, number>, today: string): Past {
  const least = addDays(weekOf(today), -7 * (LEAST_WEEKS - 1));
  const [first = least] = [...counts.keys(), least].sort();
  const start = weekOf(first);
  return { first: start, today, days: daysBetween(start, today) };
}

export const daysBetween = (from: string, to: string): number =>
  Math.round((startOfDay(to) - startOfDay(from)) / DAY_MS);

/** @param size - days in a bar; more where there would be too many bars */
export function barsOf(counts: ReadonlyMap<string, number>, past: Past, size: 1 | 7): readonly Bar[] {
  const length = Math.max(size, Math.ceil((past.days + 1) / MOST_BARS));
  const bars = Array.from({ length: Math.floor(past.days / length) + 1 }, (_, index) => ({
    day: addDays(past.first, index * length),
    count: 0,
  }));
  for (const [day, count] of counts) {
    if (day < past.first) continue;
    const bar = bars[Math.floor(daysBetween(past.first, day) / length)];
    if (bar !== undefined) bar.count += count;
  }
  return bars;
}

/** So that a week of three changes is seen beside one of three thousand. */
export const heightOf = (count: number, most: number): number =>
  count === 0 || most === 0 ? 0 : Math.sqrt(count / most);
