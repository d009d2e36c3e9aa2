/**
 * Moments as ISO 8601 writes them. `Date.parse` takes the 30th of February for the 2nd of March, and much
 * else for some date or other.
 *
 * @module
 */
import "../supported-node.js";

const ISO_MOMENT =
  /^([+-]\d{6}|\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)? ?(?:Z|[+-]\d\d:?\d\d)?)?)?)?$/i;

/**
 * Reads a year, a month, a day or a time of a day that exists; without a time of day its first moment, in UTC.
 *
 * @returns milliseconds since 1970; undefined when the text names no moment
 */
export function momentOf(text: string): number | undefined {
  const found = ISO_MOMENT.exec(text.trim());
  if (found === null) return undefined;
  const [whole, year = "", month = "01", day = "01"] = found;
  if (!isDayOfCalendar(Number(year), Number(month), Number(day))) return undefined;
  const time = Date.parse(whole);
  return Number.isNaN(time) ? undefined : time;
}

/** Whether it has the form of a moment, whether or not there is such a one. */
export const isWrittenAsMoment = (text: string): boolean => ISO_MOMENT.test(text.trim());

/** @param month - from 1 */
export function isDayOfCalendar(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
