/**
 * Times that count from now: "last 24 hours", "this week", "Friday", "3 days ago". Anything else is left to the
 * parser of dates. Without a future: a weekday or a month is the last one that has begun.
 *
 * @module
 */
import {
  before,
  days,
  moment,
  months,
  type Stretch,
  sinceMonday,
  type Unit,
  unitAround,
} from "./stretches.js";

const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
/** What "a few" comes to. */
const FEW = 3;
const COUNT = `\\d{1,6}|an?|${NUMBERS.slice(1).join("|")}|a few|few|several|a couple(?: of)?|couple(?: of)?|half an?|half`;
const UNIT = "second|minute|min|hour|day|week|fortnight|month|quarter|year";
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);

const UNTIL_NOW = new RegExp(
  `^(the |these )?(last|past|previous|preceding)(?: (${COUNT}))? (${UNIT})s?$`,
  "i",
);
const AGO = new RegExp(`^(?:about |around )?(${COUNT}) (${UNIT})s? ago$`, "i");
const CALENDAR = /^(?:the )?(this|current|last|previous|next) (week|month|quarter|year)$/i;
const BEFORE_LAST = /^(?:the )?(day|week|month|year) before (?:last|yesterday)$/i;
const WEEKEND = /^(?:(the|this|last|previous) )?weekend$/i;
const NAMED = new RegExp(`^(?:(last|this) )?(${[...WEEKDAYS, ...MONTHS].join("|")})$`, "i");

/** @returns undefined for other words */
export function relativeStretch(words: string, now: number): Stretch | undefined {
  if (/^(?:now|right now|just now|today's date)$/i.test(words)) return moment(now);
  if (/^earlier today$/i.test(words)) return { start: unitAround(now, "day").start, last: now };
  return untilNow(words, now) ?? ago(words, now) ?? calendar(words, now) ?? named(words, now);
}

/** "The last 3 days", "the past week", "last hour". "Last week" alone is one from Monday to Sunday. */
function untilNow(words: string, now: number): Stretch | undefined {
  const [, article, which = "", count, unit] = UNTIL_NOW.exec(words) ?? [];
  if (unit === undefined) return undefined;
  const isShort = /^(?:second|min|minute|hour|day)/i.test(unit);
  const isRolling = count !== undefined || isShort || /^past$/i.test(which);
  if (!isRolling && !(article !== undefined && /^last$/i.test(which))) return undefined;
  return { start: earlier(count, unit, now), last: now };
}

function ago(words: string, now: number): Stretch | undefined {
  const [, count, unit] = AGO.exec(words) ?? [];
  return unit === undefined ? undefined : moment(earlier(count, unit, now));
}

/** @returns the unit that "3 weeks ago" counts in, so that what happened then can be looked for around it */
export function unitOfAgo(words: string): Unit | undefined {
  const unit = AGO.exec(words)?.[2];
  return unit === undefined ? undefined : sizeOf(unit).unit;
}

function earlier(count: string | undefined, unit: string, now: number): number {
  const { unit: name, times } = sizeOf(unit);
  if (count !== undefined && /^half/i.test(count)) return halfBefore(now, name, times);
  return before(now, countOf(count) * times, name);
}

const sizeOf = (written: string): { readonly unit: Unit; readonly times: number } => {
  const word = written.toLowerCase();
  if (word === "fortnight") return { unit: "week", times: 2 };
  return { unit: (word === "min" ? "minute" : word) as Unit, times: 1 };
};

/** Half a month is as long as half of the one before now. */
const halfBefore = (now: number, unit: Unit, times: number): number =>
  now - Math.round((now - before(now, times, unit)) / 2);

function countOf(words: string | undefined): number {
  const text = (words ?? "one").toLowerCase();
  if (/^\d+$/.test(text)) return Number(text);
  if (/^an?$/.test(text)) return 1;
  if (text.includes("couple")) return 2;
  return NUMBERS.includes(text) ? NUMBERS.indexOf(text) : FEW;
}

function calendar(words: string, now: number): Stretch | undefined {
  const [, which = "", unit] = CALENDAR.exec(words) ?? [];
  if (unit !== undefined) {
    const name = unit.toLowerCase() as Unit;
    const here = unitAround(now, name);
    if (/^(?:last|previous)$/i.test(which)) return unitAround(here.start - 1, name);
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
  const weekday = WEEKDAYS.indexOf(name.toLowerCase());
  if (weekday >= 0) {
    if (/^this$/i.test(which)) return days(date, ((weekday + 6) % 7) - sinceMonday(date), 1);
    const back = (date.getDay() - weekday + 7) % 7;
    return days(date, -(back === 0 && isLast ? 7 : back), 1);
  }
  const month = MONTHS.indexOf(name.toLowerCase());
  const back = (date.getMonth() - month + 12) % 12;
  if (/^this$/i.test(which)) return months(date, month, 1);
  return months(date, date.getMonth() - (back === 0 && isLast ? 12 : back), 1);
}
