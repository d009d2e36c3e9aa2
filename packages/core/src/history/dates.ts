/**
 * Dates as people write them. Each names a stretch of time: a day, a month, or a moment.
 *
 * @module
 */
import type { ParsedComponents } from "chrono-node";
import { CambiumError } from "../errors.js";
import { isDayOfCalendar, isWrittenAsMoment } from "../format/calendar.js";
import { ordinalStretch } from "./plain-period.js";
import { unquote } from "./quotes.js";
import { relativeStretch } from "./relative-words.js";
import { days, hours, moment, months, type Stretch } from "./stretches.js";

export const DATE_ONLY = /^\d{4}(-\d{2}(-\d{2})?)?$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** The last moment a `Date` can tell. */
const MAX_TIME = 8.64e15;

/**
 * Reads a date as people write it. Days are those of the machine's time zone, and weeks begin on Monday. A date
 * without a year is the last one that has begun.
 *
 * @throws {CambiumError} BAD_REF when the words name no date
 */
export async function readStretch(text: string, now: number): Promise<Stretch> {
  const words = unquote(text.trim());
  if (/^\d{12,}$/.test(words) && Number(words) <= MAX_TIME) return moment(Number(words));
  if (DATE_ONLY.test(words)) return calendarStretch(words);
  if (ISO_TIME.test(words)) {
    const time = Date.parse(words.replace(" ", "T"));
    if (!Number.isNaN(time)) {
      calendarStretch(words.slice(0, 10)); // `Date.parse` takes the 30th of February for the 2nd of March
      return moment(time);
    }
    // Read as words, an hour or an offset that is none would pass.
    if (isWrittenAsMoment(words)) throw noDate(words);
  }
  refuseTwoReadings(words);
  return relativeStretch(words, now) ?? ordinalStretch(words, now) ?? (await stretchInWords(words, now));
}

async function stretchInWords(words: string, now: number): Promise<Stretch> {
  // When words are met: its 51 files take 30 ms. English alone loads four times as fast as all languages.
  const { parse: parseWords } = await import("chrono-node/en");
  const plain = words
    .replace(/^(?:the |these )(?=(?:last|past|previous|preceding) )/i, "")
    .replace(/^(on|at|last(?= (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))) /i, "");
  const [result] = parseWords(plain, { instant: new Date(now) });
  if (result === undefined || result.text.length < plain.length || OPEN.test(plain)) throw noDate(words);
  if (SUM_UNTIL_NOW.test(plain)) return { start: result.date().getTime(), last: now };
  const [isBegun, date] = [result.date().getTime() <= now, result.date()];
  const start = stretchOf(result.start, isBegun ? date : pastDate(result.start, date, plain), plain, now);
  if (result.end == null) return start;
  // "9am-5pm" and "3-10 November" are one stretch, not its first moment or day.
  const ended = result.end.date();
  const end = stretchOf(result.end, isBegun ? ended : pastDate(result.end, ended, plain), plain, now);
  if (end.last < start.start) throw noDate(words);
  return { start: start.start, last: end.last };
}

/** "The last 2 hours and 30 minutes", of which the parser tells the first moment. */
const SUM_UNTIL_NOW = /^(?:last|past|previous|preceding) \d+ ?[a-z]+,? (?:and )?\d+ ?[a-z]+$/i;

/** What lies ahead was meant of the past: "March" said in January is last year's, "5pm" said at noon yesterday's. */
function pastDate(found: ParsedComponents, date: Date, plain: string): Date {
  if (found.isCertain("year") || /^(next|this|coming|in) /i.test(plain)) return date;
  if (found.isCertain("month")) date.setFullYear(date.getFullYear() - 1);
  else if (found.isCertain("weekday")) date.setDate(date.getDate() - 7);
  else if (!found.isCertain("day")) date.setDate(date.getDate() - 1);
  return date;
}

/** "The week before" says of nothing what it was before, and a letter may be any unit. */
const OPEN = / (?:before|after|earlier|later)$|^(?:last|past) [a-z]$/i;

function stretchOf(found: ParsedComponents, date: Date, plain: string, now: number): Stretch {
  if (/ ago$/i.test(plain)) return moment(date.getTime());
  if (found.isCertain("hour")) return moment(date.getTime());
  const named = /\w+$/.exec(plain.toLowerCase())?.[0] ?? "";
  const stretch = STRETCHES[named]?.(/^this /i.test(plain) ? new Date(now) : date);
  if (stretch !== undefined) return stretch;
  if (found.isCertain("day") || found.isCertain("weekday")) return days(date, 0, 1);
  if (found.isCertain("month")) return months(date, date.getMonth(), 1);
  if (found.isCertain("year")) return months(date, 0, 12);
  throw noDate(plain);
}

const DAY_AND_MONTH = [
  /(?<![\d/])(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?(?![\d/])/,
  /(?<![\d.-])(\d{1,2})[.-](\d{1,2})[.-](\d{4}|\d{2})(?![\d.-])/,
] as const;

/**
 * Half of the world writes the day first, the other half the month. Where both are possible, either would be a guess.
 *
 * @throws {CambiumError} BAD_REF
 */
export function refuseTwoReadings(words: string): void {
  const found = DAY_AND_MONTH.map((pattern) => pattern.exec(words)).find((match) => match !== null);
  const [written, first = "", second = "", year] = found ?? [];
  const [a, b] = [Number(first), Number(second)];
  if (written === undefined || a === b || Math.min(a, b) < 1 || Math.max(a, b) > 12) return;
  const named = (month: number, day: number): string =>
    `${year === undefined ? "" : `${year.padStart(4, "20")}-`}${two(month)}-${two(day)}`;
  const [dayFirst, monthFirst] = [named(b, a), named(a, b)];
  throw new CambiumError("BAD_REF", `"${written}" can be read as ${dayFirst} or as ${monthFirst}.`, {
    hint: "Write the year first, such as 2026-08-01, or the month as a word: 1 Aug 2026.",
  });
}

const two = (part: number): string => String(part).padStart(2, "0");

/** What the last word names, around the moment that is found for all of them. */
const STRETCHES: Readonly<Record<string, (date: Date) => Stretch>> = {
  morning: (date) => hours(date, 0, 12),
  afternoon: (date) => hours(date, 12, 18),
  evening: (date) => hours(date, 18, 24),
  tonight: (date) => hours(date, 18, 24),
  night: (date) => hours(date, 18, 24),
};

function calendarStretch(text: string): Stretch {
  const [year, month, day] = text.split("-").map(Number) as [number, number | undefined, number | undefined];
  const date = new Date(year, (month ?? 12) - 1, day ?? 1);
  const isSound = isDayOfCalendar(year, month ?? 12, day ?? 1) && date.getFullYear() === year; // not of 99 for 1999
  if (!isSound) throw new CambiumError("BAD_REF", `${text} is not a date of the calendar.`);
  if (month === undefined) return months(date, 0, 12);
  return day === undefined ? months(date, month - 1, 1) : days(date, 0, 1);
}

export const noDate = (words: string): CambiumError =>
  new CambiumError("BAD_REF", `"${words}" is not a date that Cambium understands.`, {
    hint: 'Try 2026-08-01, 2026-08-01T09:30, "yesterday at noon", "6 months ago" or "last 24 hours".',
  });
