/**
 * A query that asks for whatever there is of a time: "what happened in the last 24 hours", "news since Friday". The
 * time is read as `since` and `until` are. A query that speaks of anything else is not one: there a time is only
 * preferred, and leaves nothing out.
 *
 * @module
 */
import { type Period, periodAround, periodOrNone } from "@cambium/core";
import { kindAskedBy } from "./kind-words.js";
import { STOP_WORDS } from "./stop-words.js";

/** "What happened", "anything new": they say nothing of what it is about. */
const ANYTHING = new Set(
  `happen happened happening happens change changed changes new news note noted notes write wrote written say said
   tell told know known remember remembered add added save saved record recorded memory memories thing things
   anything everything something event events go goes going went show list find give tell us please`.split(
    /\s+/,
  ),
);
const TIMES =
  /^(?:\d[\d:./-]*(?:st|nd|rd|th|am|pm|h|d|w|m|min|mins|hrs?)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|few|dozen|half|couple|last|past|previous|this|earlier|early|late|mid|start|beginning|end|middle|since|until|till|before|after|between|within|ago|now|noon|midnight|yesterday|today|tonight|(?:min|minute|hr|hour|day|night|week|weekend|month|quarter|year|morning|afternoon|evening)s?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|thur?s?|fri|q[1-4])$/i;
/** Alone, these are seldom meant as a time: "may", "the sun". */
const DOUBTFUL = /^(?:may|march|now|\d.*)$/;
const MAX_WORDS = 16;

export async function periodAsked(text: string, now: number): Promise<Period | undefined> {
  const words = text
    .replace(/[?!.,;\s]+$/, "")
    .trim()
    .split(/\s+/);
  if (words.length > MAX_WORDS || !words.some((word) => TIMES.test(plain(word)))) return undefined;
  if (words.length === 1 && DOUBTFUL.test(plain(words[0] ?? ""))) return undefined;
  // Most queries speak of something, and need not wait for what reads dates.
  if (!words.every((word) => isEmpty(word) || TIMES.test(plain(word)))) return undefined;
  for (let at = 0; at < words.length && (at === 0 || isEmpty(words[at - 1] ?? "")); at += 1) {
    const period = await periodOrNone(words.slice(at).join(" "), now);
    if (period !== undefined) return periodAround(period);
  }
  return undefined;
}

const plain = (word: string): string => word.toLowerCase().replace(/[,;:?!]+$/, "");

const isEmpty = (word: string): boolean =>
  plain(word)
    .split("'")
    .every((part) => STOP_WORDS.has(part) || ANYTHING.has(part) || kindAskedBy(part) !== undefined);
