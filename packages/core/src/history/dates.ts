/**
 * Dates as people write them. Each names a stretch of time: a day, a week, a month, or a moment.
 *
 * @module
 */
import { CambiumError } from "../errors.js";
import { isDayOfCalendar, isWrittenAsMoment } from "../format/calendar.js";
import { unquote } from "./quotes.js";

/** Milliseconds since 1970, both inclusive. */
interface Stretch {
  readonly start: number;
  readonly last: number;
}

export const DATE_ONLY = /^\d{4}(-\d{2}(-\d{2})?)?$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** The last moment a `Date` can tell. */
const MAX_TIME = 8.64e15;

/**
 * Reads a date. A day means its end, so that `@2026-08-01` is what was known by the evening of that
 * day; likewise a morning, a week, a month and a year. "… ago" counts from now, to the moment. Days are those of
 * the machine's time zone, and weeks begin on Monday.
 *
 * @returns milliseconds since 1970
 * @throws {CambiumError} BAD_REF when the words name no date
 */
export const parseTime = async (text: string, now: number): Promise<number> =>
  (await readStretch(text, now)).last;

/**
 * Reads a date as `parseTime` does, except that a day, a week, a month or a year means its beginning.
 *
 * @throws {CambiumError} BAD_REF when the words name no date
 */
export const parseStart = async (text: string, now: number): Promise<number> =>
  (await readStretch(text, now)).start;

async function readStretch(text: string, now: number): Promise<Stretch> {
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
  return stretchInWords(words, now);
}

async function stretchInWords(words: string, now: number): Promise<Stretch> {
  // When words are met: its 51 files take 30 ms. English alone loads four times as fast as all languages.
  const { parse: parseWords } = await import("chrono-node/en");
  const plain = words.replace(/^(on|at|in|last(?= (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))) /i, "");
  const [result] = parseWords(plain, { instant: new Date(now) });
  if (result === undefined || result.text.length < plain.length) throw noDate(words);
  const { start } = result;
  const date = result.date();
  if (/ ago$/i.test(plain)) return moment(date.getTime());
  if (date.getTime() > now && !start.isCertain("year") && !/^(next|this|coming) /i.test(plain)) {
    // The past is meant: "March" said in January is that of last year, and "5pm" said at noon yesterday's.
    if (start.isCertain("month")) date.setFullYear(date.getFullYear() - 1);
    else if (start.isCertain("weekday")) date.setDate(date.getDate() - 7);
    else if (!start.isCertain("day")) date.setDate(date.getDate() - 1);
  }
  if (start.isCertain("hour")) return moment(date.getTime());
  const named = /\w+$/.exec(plain.toLowerCase())?.[0] ?? "";
  const stretch = STRETCHES[named]?.(/^this /i.test(plain) ? new Date(now) : date);
  if (stretch !== undefined) return stretch;
  if (start.isCertain("day") || start.isCertain("weekday")) return days(date, 0, 1);
  if (start.isCertain("month")) return months(date, date.getMonth(), 1);
  if (start.isCertain("year")) return months(date, 0, 12);
  throw noDate(words);
}

/** What the last word names, around the moment that is found for all of them. */
const STRETCHES: Readonly<Record<string, (date: Date) => Stretch>> = {
  morning: (date) => hours(date, 0, 12),
  afternoon: (date) => hours(date, 12, 18),
  evening: (date) => hours(date, 18, 24),
  tonight: (date) => hours(date, 18, 24),
  night: (date) => hours(date, 18, 24),
  week: (date) => days(date, -sinceMonday(date), 7),
  weekend: (date) => days(date, 5 - sinceMonday(date), 2),
  quarter: (date) => months(date, date.getMonth() - (date.getMonth() % 3), 3),
};

const sinceMonday = (date: Date): number => (date.getDay() + 6) % 7;

const moment = (at: number): Stretch => ({ start: at, last: at });

const hours = (date: Date, first: number, end: number): Stretch =>
  stretch((hour) => new Date(date.getFullYear(), date.getMonth(), date.getDate(), hour), first, end);

/** @param from - days after `date` */
const days = (date: Date, from: number, count: number): Stretch =>
  stretch((day) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + day), from, from + count);

/** @param from - months count from 0 */
const months = (date: Date, from: number, count: number): Stretch =>
  stretch((month) => new Date(date.getFullYear(), month, 1), from, from + count);

const stretch = (dateAt: (step: number) => Date, first: number, end: number): Stretch => ({
  start: dateAt(first).getTime(),
  last: dateAt(end).getTime() - 1,
});

function calendarStretch(text: string): Stretch {
  const [year, month, day] = text.split("-").map(Number) as [number, number | undefined, number | undefined];
  const date = new Date(year, (month ?? 12) - 1, day ?? 1);
  const isSound = isDayOfCalendar(year, month ?? 12, day ?? 1) && date.getFullYear() === year; // not of 99 for 1999
  if (!isSound) throw new CambiumError("BAD_REF", `${text} is not a date of the calendar.`);
  if (month === undefined) return months(date, 0, 12);
  return day === undefined ? months(date, month - 1, 1) : days(date, 0, 1);
}

const noDate = (words: string): CambiumError =>
  new CambiumError("BAD_REF", `"${words}" is not a date that Cambium understands.`, {
    hint: 'Try 2026-08-01, 2026-08-01T09:30, "yesterday at noon" or "6 months ago".',
  });
