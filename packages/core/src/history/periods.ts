/**
 * Periods in words: the one reader of them, for options, refs, HTTP, MCP and `ask`.
 *
 *     last 24 hours   since Friday   before March   between January and March   2026-11-01..2026-11-20
 *
 * @module
 */
import { CambiumError, isCambiumError } from "../errors.js";
import { AMOUNT } from "./counted-units.js";
import { noDate, readStretch, refuseTwoReadings } from "./dates.js";
import { plainStretch, withPlainEdges } from "./plain-period.js";
import { unquote } from "./quotes.js";
import { unitOfAgo } from "./relative-words.js";
import { before, moment, type Stretch, unitAround } from "./stretches.js";

/** Milliseconds since 1970, both inclusive. */
export interface Period {
  /** The words that were read. */
  readonly said: string;
  /** Absent: from the beginning. */
  readonly from?: number;
  /** Absent: until now. */
  readonly until?: number;
}

const RANGES: readonly RegExp[] = [
  /^(?:in |during |within )?(?:the (?:time|period|days|weeks|months|years) )?between (?<first>.+?) and (?<last>.+)$/i,
  /^(?:from|since) (?<first>.+?) (?:to|until|till|through|thru|up to|-|–|—) (?<last>.+)$/i,
  /^(?<first>.+?) (?:to|until|till|through|thru|up to|-|–|—) (?<last>.+)$/i,
  /^(?<first>[\w ]+)\s*(?:\.\.+|…|–)\s*(?<last>[\w ]+)$/i,
  /^(?<first>\d{4}-\d\d[\d:T.Z+ -]*?)\s*(?:\.\.+|…|\/|–)\s*(?<last>\d{4}-\d\d[\d:T.Z+ -]*)$/i,
];
const FROM_ON =
  /^from (.+?) (?:on|onwards?|(?:up )?(?:until|till|to) (?:now|today|this moment|the present)|to date)$/i;
const SINCE =
  /^(?:ever since|since|starting from|starting on|starting|beginning on) (.+?)(?: (?:on|onwards?|(?:up )?(?:until|till|to) (?:now|today|this moment|the present)|to date))?$/i;
const AFTER = /^(?:any time |anytime )?(?:right |just )?(?:after|later than|following) (.+)$/i;
const BEFORE =
  /^(?:any time |anytime )?(?:right |just |shortly )?(?:before|prior to|earlier than|ahead of) (.+)$/i;
const UNTIL =
  /^(?:up )?(?:until|till|through|thru|by|no later than|up to|not after) (?:the end of )?(.+?)(?: inclusive)?$/i;
const LEAD =
  /^(?:(?:back )?(?:as of|as at|in|on|at|during|over|within|throughout|around|for|of|from)(?: the course of)?|back) /i;
const EDGE = /^(?:the )?(?:very )?(start|beginning|end) of (.+)$/i;
/** "Within 3 days" is not 3 days, and "in 3 days" is still to come. */
const LED_AMOUNT = new RegExp(`^(?:in|within) ${AMOUNT}$`, "i");
const WEEK_OF = /^(?:the )?week (?:of|starting|beginning|from|with) (.+)$/i;

/**
 * Reads a period. A day, a week, a month or a year lasts from its first moment to its last; "the last 3 days" are
 * those before now. Days are those of the machine's time zone, and weeks begin on Monday.
 *
 * @throws {CambiumError} BAD_REF when the words name no period
 */
export async function readPeriod(text: string, now: number): Promise<Period> {
  const words = unquote(text.trim()).replace(/\s+/g, " ");
  if (words.length > MAX_LENGTH) throw noDate(`${words.slice(0, MAX_LENGTH)}…`);
  return { said: words, ...(await edgesOf(withPlainEdges(words), now)) };
}

async function edgesOf(words: string, now: number): Promise<Omit<Period, "said">> {
  refuseTwoReadings(words); // before the words are tried as this and that
  const range = await rangeIn(words, now);
  if (range !== undefined) return { from: range.start, until: range.last };
  const [, begun] = FROM_ON.exec(words) ?? SINCE.exec(words) ?? [];
  if (begun !== undefined) return { from: (await stretchIn(begun, now)).start };
  const [, after] = AFTER.exec(words) ?? [];
  if (after !== undefined) {
    const { start, last } = await stretchIn(after, now);
    return { from: start === last ? start : last + 1 };
  }
  const [, ahead] = BEFORE.exec(words) ?? [];
  if (ahead !== undefined) return { until: (await stretchIn(ahead, now)).start - 1 };
  const [, end] = UNTIL.exec(words) ?? [];
  if (end !== undefined) return { until: (await stretchIn(end, now)).last };
  const { start, last } = await stretchIn(words, now);
  return { from: start, until: last };
}

/** A sentence is no period; what is longer is not tried. */
const MAX_LENGTH = 120;

/** @returns the period, or undefined where the words name none */
export async function periodOrNone(text: string, now: number): Promise<Period | undefined> {
  try {
    return await readPeriod(text, now);
  } catch (error) {
    if (isCambiumError(error, "BAD_REF")) return undefined;
    throw error;
  }
}

/**
 * The period around a moment that was given as "3 weeks ago": what happened then happened in that week.
 * Any other period is left as it is.
 */
export function periodAround(period: Period): Period {
  const unit = unitOfAgo(period.said.replace(LEAD, ""));
  if (unit === undefined || period.from === undefined || period.from !== period.until) return period;
  const { start, last } = unitAround(period.from, unit);
  return { said: period.said, from: start, until: last };
}

/**
 * Reads a date as a moment: a day means its end, so that `@2026-08-01` is what was known by the evening of that
 * day; likewise a morning, a week, a month and a year. "Before March" is the moment before it.
 *
 * @returns milliseconds since 1970
 * @throws {CambiumError} BAD_REF when the words name no date, or a period without an end
 */
export async function parseTime(text: string, now: number): Promise<number> {
  const { until } = await readPeriod(text, now);
  if (until === undefined) throw withoutEdge(text, "end");
  return until;
}

/**
 * Reads a date as `parseTime` does, except that a day, a week, a month or a year means its beginning.
 *
 * @throws {CambiumError} BAD_REF when the words name no date, or a period without a beginning
 */
export async function parseStart(text: string, now: number): Promise<number> {
  const { from } = await readPeriod(text, now);
  if (from === undefined) throw withoutEdge(text, "beginning");
  return from;
}

const withoutEdge = (text: string, edge: "beginning" | "end"): CambiumError =>
  new CambiumError(
    "BAD_REF",
    `"${text.trim()}" is a period without ${edge === "end" ? "an end" : "a beginning"}.`,
    {
      hint: `Name a date or a period that has ${edge === "end" ? "an end: yesterday, or between Monday and Friday" : "a beginning: yesterday, or since Friday"}.`,
    },
  );

async function stretchIn(words: string, now: number): Promise<Stretch> {
  const plain = plainStretch(words.trim(), now);
  const [, edge, whole] = EDGE.exec(plain) ?? [];
  if (edge !== undefined && whole !== undefined) {
    const named = whole.replace(/^the (?=(?:day|week|month|quarter|year)$)/i, "this ");
    const { start, last } = await stretchIn(named.replace(/^this day$/i, "today"), now);
    return moment(/^end$/i.test(edge) ? last : start);
  }
  const [, dayOfWeek] = WEEK_OF.exec(plain) ?? [];
  if (dayOfWeek !== undefined) return unitAround((await stretchIn(dayOfWeek, now)).start, "week");
  if (LED_AMOUNT.test(plain)) return await readStretch(plain, now);
  const bare = plainStretch(plain.replace(LEAD, ""), now);
  return await readStretch(bare === "" ? plain : bare, now);
}

async function rangeIn(words: string, now: number): Promise<Stretch | undefined> {
  for (const range of RANGES) {
    const { first, last } = range.exec(words)?.groups ?? {};
    if (first === undefined || last === undefined || isUntilNow(words, last)) continue;
    if (CLOCK.test(last) && !CLOCK.test(first)) continue; // of the same day: "Friday 9am to 5pm" is read as a whole
    const found = await between(first, last, now);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** "From Monday until now" has no end of its own. */
const isUntilNow = (words: string, last: string): boolean =>
  /^(?:from|since) /i.test(words) && /^(?:now|today)$/i.test(last);

const CLOCK = /^(?:at )?(?:\d{1,2}(?::\d\d)? ?(?:am|pm)|\d{1,2}:\d\d|noon|midnight)$/i;
const DAY_OF_MONTH = /^(?:the )?(\d{1,2})(?:st|nd|rd|th)?$/i;
const MONTH =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/i;
const YEAR = /\b(?:19|20)\d\d\b/;

/** What one end leaves out, the other says: "3 to 10 November 2026", "November 3 to 10". */
async function between(first: string, last: string, now: number): Promise<Stretch | undefined> {
  const year = YEAR.exec(last)?.[0];
  const month = MONTH.exec(last)?.[0] ?? MONTH.exec(first)?.[0];
  const isShort = (end: string): boolean => DAY_OF_MONTH.test(end.trim());
  const dated = (end: string): string =>
    isShort(end) && month !== undefined ? `${DAY_OF_MONTH.exec(end.trim())?.[1]} ${month}` : end;
  const ofYear = (end: string): string =>
    year !== undefined && MONTH.test(end) && !YEAR.test(end) ? `${end} ${year}` : end;
  const end = await stretchOrNone(ofYear(dated(last)), now);
  const begin = end === undefined ? undefined : await stretchOrNone(ofYear(dated(first)), now);
  if (begin === undefined || end === undefined) return undefined;
  const start = begin.start > end.last ? cycleBefore(begin.start, first) : begin.start;
  return start > end.last ? undefined : { start, last: end.last };
}

/** Between Friday and Monday, said on a Saturday, is the Friday before that Monday. */
function cycleBefore(start: number, words: string): number {
  if (/day\b/i.test(words) && !/\d/.test(words)) return before(start, 1, "week");
  return MONTH.test(words) && !YEAR.test(words) ? before(start, 1, "year") : start;
}

async function stretchOrNone(words: string, now: number): Promise<Stretch | undefined> {
  try {
    return await stretchIn(words, now);
  } catch (error) {
    if (isCambiumError(error, "BAD_REF")) return undefined;
    throw error;
  }
}
