/**
 * Times and checkpoints in a sentence. Dates are read as refs are: a day, a month or a year means its end,
 * and one that is named without a year is the last one.
 *
 * @module
 */
import {
  isCambiumError,
  type Period,
  parseStart,
  parseTime,
  periodAround,
  periodOrNone,
} from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { ParsedDays, ParsedPeriod, ParsedState, Surroundings } from "./intent.js";
import { unquoted } from "./patterns.js";

/** A state in which nothing was known yet, whatever the branch. */
export const BEFORE_EVERYTHING = "1970-01-01";
/** A date in words is not longer than "before the 3rd of March last year at noon". */
const MAX_WORDS = 9;

const LEAD = /^(?:(?:back )?(?:as of|as at|as from|in|on|at|by|around|during|from)|back|until) /i;
const BEFORE = /^(?:(?:just |right )?before|prior to|ahead of|the (?:start|beginning) of) /i;
/** "Before the outage on 5 November": the day says when that was. */
const OF_EVENT = /^(?:the|my|our|that) (?:[^ ]+ ){1,4}?(?:on|in|of) (?=.*\d)/i;
const WHICH_DAY = /^(?:just |right )?before (?:the|my|our|that) /i;
const END_OF = /^(?:the )?end of /i;
/** A date says so by itself; others, such as "May", need a word before them. */
const PLAINLY_A_DATE =
  /^(?:yesterday|today|last |this |earlier |the day before yesterday|\d{4}-\d\d|(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|a few|a couple of) (?:minute|hour|day|week|month|year)s? ago)/i;

/** @returns the state that the words name, or undefined where they name none that has been */
export async function stateIn(words: string, around: Surroundings): Promise<ParsedState | undefined> {
  const written = words.trim();
  const isBefore = BEFORE.test(written.replace(/^(?:at|from|by|in) (?=the (?:start|beginning) )/i, ""));
  const bare = written.replace(LEAD, "").replace(BEFORE, "");
  const plain = isBefore && WHICH_DAY.test(written) ? bare.replace(OF_EVENT, "") : bare;
  const named = checkpointNamed(plain, around.checkpoints);
  if (named !== undefined) return { said: written, ref: `checkpoint:${named}` };
  const commit = /^(?:git )?commit ([0-9a-f]{7,64})$/i.exec(plain)?.[1];
  if (commit !== undefined) return { said: written, ref: `git:${commit.toLowerCase()}` };
  const moment = isBefore
    ? await startIn(plain, around.now)
    : await endIn(plain.replace(END_OF, ""), around.now);
  if (moment === undefined) {
    // As in refs, a date goes before a checkpoint of the same name.
    const known = knownCheckpoint(written, around.checkpoints) ?? knownCheckpoint(plain, around.checkpoints);
    return known === undefined ? undefined : { said: written, ref: `checkpoint:${known}` };
  }
  return { said: written, ref: refOf(isBefore ? moment - 1 : momentOrToday(moment, around.now)) };
}

/** "This morning", asked before noon, is not over: what is known by now is its state. */
const momentOrToday = (moment: number, now: number): number => (moment > now ? endOfDay(now) : moment);

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
  if (checkpointNamed(written, around.checkpoints) === undefined) {
    const from = (await pastPeriod(written, around.now))?.from;
    if (from !== undefined) return { said: written, from: refOf(from - 1), interval: { since: from } };
  }
  const state = await stateIn(written, around);
  return state === undefined ? undefined : { said: written, from: state.ref };
}

/** @returns the stretch that the words name, such as a day, a month or the last 24 hours */
export async function periodNamed(words: string, around: Surroundings): Promise<ParsedPeriod | undefined> {
  const days = await daysIn(words, around.now);
  return days === undefined ? undefined : betweenStates(days, around.now);
}

export function betweenStates({ said, since, until }: ParsedDays, now: number): ParsedPeriod {
  const from = since === undefined ? BEFORE_EVERYTHING : refOf(since - 1);
  const interval = omitUndefined({ since, until });
  return until === undefined || until >= now
    ? { said, from, interval }
    : { said, from, to: refOf(until), interval };
}

/** @returns the edges of a period; what happened "3 days ago" happened on that day */
export async function daysIn(words: string, now: number): Promise<ParsedDays | undefined> {
  const period = await pastPeriod(words.trim(), now);
  if (period === undefined) return undefined;
  const { said, from, until } = periodAround(period);
  return { said, ...omitUndefined({ since: from, until }) };
}

/** Nothing is known of the future: what begins later than now is no period here. */
async function pastPeriod(words: string, now: number): Promise<Period | undefined> {
  if (words === "") return undefined;
  const period = await periodOrNone(words, now);
  return period === undefined || (period.from ?? 0) > now ? undefined : period;
}

const startIn = (words: string, now: number): Promise<number | undefined> => momentIn(words, now, parseStart);
const endIn = (words: string, now: number): Promise<number | undefined> => momentIn(words, now, parseTime);

/** Nothing is known of the future: what begins later than now is no date here. */
async function momentIn(written: string, now: number, parse: typeof parseTime): Promise<number | undefined> {
  if (/^earlier today$/i.test(written)) return new Date(now).setHours(0, 0, 0, 0);
  const words = written.trim();
  if (words === "" || words.length > 60) return undefined;
  const start = await dateOrNone(words, now, parseStart);
  return start === undefined || start > now ? undefined : await dateOrNone(words, now, parse);
}

/** A time of the past or the future; undefined where the words name none. */
export async function dateOrNone(
  words: string,
  now: number,
  parse: typeof parseTime,
): Promise<number | undefined> {
  try {
    return await parse(words, now);
  } catch (error) {
    if (isCambiumError(error, "BAD_REF")) return undefined;
    throw error;
  }
}

/** The one made last comes first. */
const THE_LAST =
  /^(?:the |my |our )?(?:last|latest|newest|most recent|previous) (?:checkpoint|backup|save point|snapshot|save|saved state)$/i;
const CALLED_SO = [
  /^(?:the |my )?(?:checkpoint|backup|save point|snapshot) (?:called |named )?(\S+|"[^"]+"|'[^']+')$/i,
  /^checkpoint:(\S+)$/i,
];

/** What is called a checkpoint is one, though none is known: the library says that there is none. */
function checkpointNamed(text: string, checkpoints: readonly string[]): string | undefined {
  if (THE_LAST.test(text)) return checkpoints[0];
  const name = CALLED_SO.map((form) => form.exec(text)?.[1]).find((found) => found !== undefined);
  if (name !== undefined) return knownCheckpoint(name, checkpoints) ?? unquoted(name);
  const words = /^(?:the |my )?(?:checkpoint|backup|save point|snapshot) (?:called |named )?(.+)$/i.exec(
    text,
  )?.[1];
  return words === undefined ? undefined : knownCheckpoint(words, checkpoints);
}

/** @returns the name of the checkpoint that the words name */
export function knownCheckpoint(text: string, checkpoints: readonly string[]): string | undefined {
  const wanted = unquoted(text.replace(/ (?:checkpoint|backup|save point|snapshot)$/i, ""));
  return (
    checkpoints.find((name) => name === wanted) ?? checkpoints.find((name) => slug(name) === slug(wanted))
  );
}

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[\s._/-]+/g, "-")
    .replace(/(^|-)(?:(?:the|my|our)-)+/g, "$1");

/** The day, where it is the edge of one; else the moment. */
export function refOf(at: number, edge: (at: number) => number = endOfDay): string {
  if (at !== edge(at)) return new Date(at).toISOString();
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);
const endOfDay = (at: number): number => new Date(at).setHours(23, 59, 59, 999);
