/**
 * Times and checkpoints in a sentence. Dates are read as refs are: a day, a month or a year means its end,
 * and one that is named without a year is the last one.
 *
 * @module
 */
import { isCambiumError, parseStart, parseTime } from "@cambium/core";
import type { ParsedDays, ParsedPeriod, ParsedState, Surroundings } from "./intent.js";
import { unquoted } from "./patterns.js";

const DAY_MS = 86_400_000;
/** A date in words is not longer than "before the 3rd of March last year at noon". */
const MAX_WORDS = 9;

const LEAD = /^(?:(?:back )?(?:as of|as at|as from|in|on|at|by|around|during|from)|back|until) /i;
const BEFORE = /^(?:(?:just |right )?before|prior to|ahead of|the (?:start|beginning) of) /i;
const END_OF = /^(?:the )?end of /i;
/** A date says so by itself; others, such as "May", need a word before them. */
const PLAINLY_A_DATE =
  /^(?:yesterday|today|last |this |earlier |the day before yesterday|\d{4}-\d\d|(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|a few|a couple of) (?:minute|hour|day|week|month|year)s? ago)/i;

/** @returns the state that the words name, or undefined where they name none that has been */
export async function stateIn(words: string, around: Surroundings): Promise<ParsedState | undefined> {
  const written = words.trim();
  const isBefore = BEFORE.test(written);
  const plain = written.replace(LEAD, "").replace(BEFORE, "");
  const named = checkpointNamed(plain, around.checkpoints);
  if (named !== undefined) return { said: written, ref: `checkpoint:${named}` };
  const moment = isBefore
    ? await startIn(plain, around.now)
    : await endIn(plain.replace(END_OF, ""), around.now);
  if (moment === undefined) {
    // As in refs, a date goes before a checkpoint of the same name.
    const known = knownCheckpoint(written, around.checkpoints) ?? knownCheckpoint(plain, around.checkpoints);
    return known === undefined ? undefined : { said: written, ref: `checkpoint:${known}` };
  }
  return { said: written, ref: refOf(isBefore ? moment - 1 : Math.min(moment, endOfDay(around.now))) };
}

export interface DatedTopic {
  readonly topic: string;
  readonly state?: ParsedState;
}

/**
 * Parts "the budget last month", or "last month about the budget", into what it is about and when.
 *
 * @param isAnyDate - whether a date without a word such as "as of" counts; else it belongs to the topic
 */
export async function topicAndState(
  text: string,
  around: Surroundings,
  isAnyDate: boolean,
): Promise<DatedTopic> {
  const words = text.split(" ");
  const first = Math.max(1, words.length - MAX_WORDS);
  for (let at = first; at < words.length; at += 1) {
    const tail = words.slice(at).join(" ");
    if (!isWrittenAsDate(tail, isAnyDate)) continue;
    const state = await stateIn(tail, around);
    if (state !== undefined) return { topic: words.slice(0, at).join(" "), state };
  }
  return { topic: text };
}

function isWrittenAsDate(tail: string, isAnyDate: boolean): boolean {
  if (/^(?:as of|as at|back in|prior to) /i.test(tail)) return true;
  if (/^(?:just |right )?before |^at (?:the )?checkpoint /i.test(tail)) return true;
  return isAnyDate && (LEAD.test(`${tail} `) || PLAINLY_A_DATE.test(tail));
}

/** @returns the stretch from there until now */
export async function sinceIn(words: string, around: Surroundings): Promise<ParsedPeriod | undefined> {
  const written = words.trim();
  const start = weekUntilNow(written, around.now)?.[0] ?? (await startIn(written, around.now));
  const isNamed = checkpointNamed(written, around.checkpoints) !== undefined;
  if (start !== undefined && !isNamed) return { said: written, from: refOf(start - 1) };
  const state = await stateIn(written, around);
  return state === undefined ? undefined : { said: written, from: state.ref };
}

/** @returns the stretch that the words name, such as a day or a month */
export async function periodNamed(words: string, around: Surroundings): Promise<ParsedPeriod | undefined> {
  const days = await daysIn(words, around.now);
  if (days === undefined) return undefined;
  const { said: written, since, until } = days;
  const from = refOf(since - 1);
  return until === undefined || until >= around.now
    ? { said: written, from }
    : { said: written, from, to: refOf(until) };
}

export async function daysIn(words: string, now: number): Promise<ParsedDays | undefined> {
  const written = words.trim();
  const plain = written.replace(LEAD, "");
  const week = weekUntilNow(plain, now);
  const since = week?.[0] ?? (await startIn(plain, now));
  const until = week?.[1] ?? (await endIn(plain, now));
  if (since === undefined || until === undefined) return undefined;
  // "3 days ago" is a moment for a ref; what happened then happened on that day.
  if (since === until) return { said: written, since: startOfDay(since), until: endOfDay(until) };
  return { said: written, since, until };
}

/** "Last week" is one from Monday to Sunday; this one is the last seven days. */
function weekUntilNow(words: string, now: number): readonly [start: number, last: number] | undefined {
  return /^(?:the (?:last|past)|past) week$/i.test(words) ? [startOfDay(now - 7 * DAY_MS), now] : undefined;
}

const startIn = (words: string, now: number): Promise<number | undefined> => momentIn(words, now, parseStart);
const endIn = (words: string, now: number): Promise<number | undefined> => momentIn(words, now, parseTime);

/** Nothing is known of the future: what begins later than now is no date here. */
async function momentIn(written: string, now: number, parse: typeof parseTime): Promise<number | undefined> {
  if (/^earlier today$/i.test(written)) return startOfDay(now);
  const words = inNumbers(written);
  if (words === "" || words.length > 60) return undefined;
  try {
    return (await parseStart(words, now)) > now ? undefined : await parse(words, now);
  } catch (error) {
    if (isCambiumError(error, "BAD_REF")) return undefined;
    throw error;
  }
}

const inNumbers = (words: string): string =>
  words
    .trim()
    .replace(/^the (?=(?:past|last|previous) |\d)/i, "")
    .replace(/^previous /i, "last ")
    .replace(/^a couple of(?= )/i, "2")
    .replace(/^a few(?= )/i, "3");

const CALLED_SO = [
  /^(?:the |my )?(?:checkpoint|backup|save point|snapshot) (?:called |named )?(\S+|"[^"]+"|'[^']+')$/i,
  /^checkpoint:(\S+)$/i,
];

/** What is called a checkpoint is one, though none is known: the library says that there is none. */
function checkpointNamed(text: string, checkpoints: readonly string[]): string | undefined {
  const name = CALLED_SO.map((form) => form.exec(text)?.[1]).find((found) => found !== undefined);
  return name === undefined ? undefined : (knownCheckpoint(name, checkpoints) ?? unquoted(name));
}

function knownCheckpoint(text: string, checkpoints: readonly string[]): string | undefined {
  const wanted = unquoted(text.replace(/ (?:checkpoint|backup|save point|snapshot)$/i, ""));
  return (
    checkpoints.find((name) => name === wanted) ?? checkpoints.find((name) => slug(name) === slug(wanted))
  );
}

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\b(?:the|my|our) /g, "")
    .replace(/[\s._/-]+/g, "-");

/** The day, where it means its end; else the moment. */
function refOf(at: number): string {
  if (at !== endOfDay(at)) return new Date(at).toISOString();
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);
const endOfDay = (at: number): number => new Date(at).setHours(23, 59, 59, 999);
