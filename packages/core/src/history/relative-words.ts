/**
 * Times that count from now: "last 24 hours", "this week", "Friday", "3 days ago". Anything else is left to the
 * parser of dates. Without a future: a weekday or a month is the last one that has begun.
 *
 * @module
 */
import { AMOUNT, amountIn, earlier, ONE_UNIT } from "./counted-units.js";
import { days, moment, months, type Stretch, sinceMonday, type Unit, unitAround } from "./stretches.js";

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
/** In the order of the names. Read by their first three letters. */
const SHORT_DAYS = ["sun\\.?", "mon\\.?", "tues?\\.?", "wed\\.?", "thur?s?\\.?", "fri\\.?", "sat\\.?"];
const SHORT_MONTHS = "jan feb mar apr jun jul aug sept? oct nov dec".split(" ").map((name) => `${name}\\.?`);

const UNTIL_NOW = new RegExp(
  `^(?<article>the |these |those )?(?<which>last|past|previous|preceding) (?:${AMOUNT}|${ONE_UNIT})$`,
  "i",
);
const WITHIN = new RegExp(`^within ${AMOUNT}$`, "i");
const AGO = new RegExp(`^(?:about |around )?${AMOUNT} ago$`, "i");
const CALENDAR = /^(?:the )?(this|current|last|previous|preceding|next) (day|week|month|quarter|year)$/i;
const BEFORE_LAST = /^(?:the )?(day|week|month|year) before (?:last|yesterday)$/i;
const WEEKEND = /^(?:(the|this|last|previous) )?weekend$/i;
const NAMED = new RegExp(
  `^(?:(last|this) )?(${[...WEEKDAYS, ...MONTHS].join("|")}|${SHORT_DAYS.join("|")}|${SHORT_MONTHS.join("|")})$`,
  "i",
);

/** @returns undefined for other words */
export function relativeStretch(words: string, now: number): Stretch | undefined {
  if (/^(?:now|right now|just now|today's date)$/i.test(words)) return moment(now);
  if (/^earlier today$/i.test(words)) return { start: unitAround(now, "day").start, last: now };
  return untilNow(words, now) ?? ago(words, now) ?? calendar(words, now) ?? named(words, now);
}

/** "The last 3 days", "the past week", "last hour". "Last week" alone is one from Monday to Sunday. */
function untilNow(words: string, now: number): Stretch | undefined {
  const groups = (UNTIL_NOW.exec(words) ?? WITHIN.exec(words))?.groups;
  const amount = amountIn(groups);
  if (amount === undefined || groups === undefined) return undefined;
  const { article, which = "past", alone = "" } = groups;
  const isShort = /^(?:second|min|minute|hour)/i.test(alone) || /^last day$/i.test(`${which} ${alone}`);
  const isRolling = alone === "" || isShort || /^past$/i.test(which);
  if (!isRolling && !(article !== undefined && /^last$/i.test(which))) return undefined;
  return { start: earlier(amount, now), last: now };
}

function ago(words: string, now: number): Stretch | undefined {
  const amount = amountIn(AGO.exec(words)?.groups);
  return amount === undefined ? undefined : moment(earlier(amount, now));
}

/** @returns the unit that "3 weeks ago" counts in, so that what happened then can be looked for around it */
export const unitOfAgo = (words: string): Unit | undefined => amountIn(AGO.exec(words)?.groups)?.unit;

function calendar(words: string, now: number): Stretch | undefined {
  const [, which = "", unit] = CALENDAR.exec(words) ?? [];
  if (unit !== undefined) {
    const name = unit.toLowerCase() as Unit;
    const here = unitAround(now, name);
    if (/^(?:last|previous|preceding)$/i.test(which)) return unitAround(here.start - 1, name);
    return /^next$/i.test(which) ? unitAround(here.last + 1, name) : here;
  }
  const [, twice] = BEFORE_LAST.exec(words) ?? [];
  if (twice !== undefined) {
    const name = twice.toLowerCase() as Unit;
    return unitAround(unitAround(unitAround(now, name).start - 1, name).start - 1, name);
  }
  return weekend(words, now);
}

function weekend(words: string, now: number): Stretch | undefined {
  const found = WEEKEND.exec(words);
  if (found === null) return undefined;
  const date = new Date(now);
  const monday = -sinceMonday(date);
  const isHere = sinceMonday(date) >= 5;
  const isLast = /^(?:last|previous)$/i.test(found[1] ?? "") || (!isHere && !/^this$/i.test(found[1] ?? ""));
  return days(date, monday + (isLast ? -2 : 5), 2);
}

/** "Friday" said on a Friday is today; "last Friday" is not. Of a month likewise. */
function named(words: string, now: number): Stretch | undefined {
  const [, which = "", name] = NAMED.exec(words) ?? [];
  if (name === undefined) return undefined;
  const date = new Date(now);
  const isLast = /^last$/i.test(which);
  const begins = (full: string): boolean => full.startsWith(name.slice(0, 3).toLowerCase());
  const weekday = WEEKDAYS.findIndex(begins);
  if (weekday >= 0) {
    if (/^this$/i.test(which)) return days(date, ((weekday + 6) % 7) - sinceMonday(date), 1);
    const back = (date.getDay() - weekday + 7) % 7;
    return days(date, -(back === 0 && isLast ? 7 : back), 1);
  }
  const month = MONTHS.findIndex(begins);
  const back = (date.getMonth() - month + 12) % 12;
  if (/^this$/i.test(which)) return months(date, month, 1);
  return months(date, date.getMonth() - (back === 0 && isLast ? 12 : back), 1);
}
