/**
 * Finds the period that a query speaks of: "last March", "6 months ago", "in May 2023", "yesterday".
 *
 * @module
 */
import { periodOrNone } from "@cambium/core";
import type { ParsedResult } from "chrono-node";

/** Milliseconds since 1970; `end` is exclusive. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

interface DatedText extends Period {
  /** The text without the words of the period. */
  readonly rest: string;
}

/** Most queries name no time, and need not wait for the library that reads it. */
const MAYBE_TIME =
  /\b(?:(?:19|20)\d\d|\d{1,2}[/.]\d{1,2}|yesterday|today|tonight|ago|last|previous|past|(?:this|next) (?:week|month|year|\w+day)|week(?:end)?s?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b/i;
/** Words that are seldom meant as a date when they stand alone: "I may", "march on", "the sun". */
const DOUBTFUL = /^(?:may|mar|march|sun|sat|wed|now)$/i;
const BEFORE_A_DATE =
  /\b(?:in|on|of|by|last|this|next|since|until|early|mid|late|during|around|before|after)\s*$/i;
/** These belong to the date though the parser leaves them over; prepositions are stop words anyway. */
const POINTS_AT_A_DATE = /\b(?:last|early|mid|late)\s*$/i;
const LEADS_TO_A_DATE = /\blast\s+$/i;
const YEAR = /\b(?:19|20)\d\d\b/;
const NAMES_A_DATE = ["year", "month", "weekday", "day"] as const;
const DAY_MS = 86_400_000;

/**
 * Days are those of the machine's time zone, as in refs. A month or weekday without a year is the last one.
 *
 * @param now - milliseconds since 1970
 */
export async function periodIn(text: string, now: number): Promise<DatedText | undefined> {
  if (!MAYBE_TIME.test(text)) return undefined;
  const { parse } = await import("chrono-node/en"); // 30 ms that most processes never spend
  const found = parse(text, { instant: new Date(now) }).filter((result) => namesDate(text, result));
  const result = found.reduce<ParsedResult | undefined>(
    (best, next) => (best === undefined || certainty(next) > certainty(best) ? next : best),
    undefined,
  );
  if (result === undefined) return yearIn(text);
  const before = text.slice(0, result.index).replace(POINTS_AT_A_DATE, "");
  const rest = `${before} ${text.slice(result.index + result.text.length)}`;
  return { ...((await lastingPeriod(text, result, now)) ?? intervalIn(result, now)), rest };
}

/** "The past 7 days" and "last week" last as long as for `since`; "2 weeks ago" is a moment there. */
async function lastingPeriod(text: string, { index, text: found }: ParsedResult, now: number) {
  const lead = LEADS_TO_A_DATE.exec(text.slice(0, index))?.[0] ?? "";
  const { from, until } = (await periodOrNone(`${lead}${found}`, now)) ?? {};
  if (from === undefined || until === undefined || from === until) return undefined;
  return { start: from, end: until + 1 };
}

function intervalIn(result: ParsedResult, now: number): Period {
  const first = intervalOf(result, result.start, now);
  const last = result.end ? intervalOf(result, result.end, now) : first;
  return { start: Math.min(first.start, last.start), end: Math.max(first.end, last.end) };
}

type Moment = ParsedResult["start"];

const certainty = ({ start }: ParsedResult): number =>
  NAMES_A_DATE.filter((part) => start.isCertain(part)).length;

function namesDate(text: string, result: ParsedResult): boolean {
  if (certainty(result) === 0 || /^now$/i.test(result.text)) return false;
  return !DOUBTFUL.test(result.text) || BEFORE_A_DATE.test(text.slice(0, result.index));
}

/** A lone year stays in the text too: memories often say it in digits. */
function yearIn(text: string): DatedText | undefined {
  const year = Number(YEAR.exec(text)?.[0]);
  if (Number.isNaN(year)) return undefined;
  return { start: new Date(year, 0, 1).getTime(), end: new Date(year + 1, 0, 1).getTime(), rest: text };
}

/** As long as what was named: a day, the days around "2 weeks ago", a month, a year. */
function intervalOf(result: ParsedResult, moment: Moment, now: number): Period {
  const date = pastTarget(moment, result.text, now);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  const between = (start: Date, end: Date): Period => ({ start: start.getTime(), end: end.getTime() });
  if (/\bweeks?\b/i.test(result.text)) {
    const middle = new Date(year, month, day).getTime();
    return { start: middle - 3 * DAY_MS, end: middle + 4 * DAY_MS };
  }
  if (moment.isCertain("day") || moment.isCertain("weekday"))
    return between(new Date(year, month, day), new Date(year, month, day + 1));
  if (moment.isCertain("month")) return between(new Date(year, month, 1), new Date(year, month + 1, 1));
  return between(new Date(year, 0, 1), new Date(year + 1, 0, 1));
}

/** "March" said in January is that of last year, unless the words point ahead. */
function pastTarget(moment: Moment, words: string, now: number): Date {
  const date = moment.date();
  if (date.getTime() <= now || moment.isCertain("year") || /^(?:next|this|coming)\b/i.test(words))
    return date;
  if (moment.isCertain("month")) date.setFullYear(date.getFullYear() - 1);
  else if (moment.isCertain("weekday")) date.setDate(date.getDate() - 7);
  return date;
}
