/**
 * Amounts of time as people write them: "3 days", "24h", "a couple of weeks", "two and a half hours".
 *
 * @module
 */
import { before, type Unit } from "./stretches.js";

const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
/** What "a few" comes to. */
const FEW = 3;
const DOZEN = 12;

const WORD = `(?:${TENS.join("|")})(?:[ -](?:${SMALL.slice(1, 10).join("|")}))?|${SMALL.slice(1).join("|")}`;
const WHOLE = `${WORD}|(?:an? |one )?(?:hundred|dozen)|an?|a few|few|several|(?:a )?couple(?: of)?`;
const COUNT = `\\d{1,6}(?:\\.\\d{1,3})?|(?:\\d{1,6}|${WORD}) and a half|half an?|half|${WHOLE}`;
const UNITS = {
  second: "seconds?|secs?|s",
  minute: "minutes?|mins?|m",
  hour: "hours?|hrs?|h",
  day: "days?|d",
  week: "weeks?|wks?|w",
  fortnight: "fortnights?",
  month: "months?|mos?",
  quarter: "quarters?",
  year: "years?|yrs?|y",
} as const;
const UNIT = Object.values(UNITS).join("|");

/** For patterns: groups `count` and `unit`, or `one` of "an hour and a half". */
export const AMOUNT = `(?:(?<count>${COUNT})(?: |(?<=\\d))(?<unit>${UNIT})|(?:an? )?(?<one>${UNIT}) and a half)`;
/** The name of one unit. */
export const ONE_UNIT = "(?<alone>second|minute|min|hour|day|week|fortnight|month|quarter|year)";

const BARE = new RegExp(`^${AMOUNT}$`, "i");

/** "3 days" and "24h", where something is asked for since or until then, are so long ago. */
export const agoIfBare = (words: string): string => (BARE.test(words.trim()) ? `${words.trim()} ago` : words);

export interface Amount {
  readonly count: number;
  readonly unit: Unit;
}

/** @returns what the groups of {@link AMOUNT} or {@link ONE_UNIT} hold, or undefined where nothing matched */
export function amountIn(
  groups: Readonly<Record<string, string | undefined>> | undefined,
): Amount | undefined {
  const { count, unit, one, alone } = groups ?? {};
  const written = unit ?? one ?? alone;
  if (written === undefined) return undefined;
  const { name, times } = unitOf(written);
  return { count: times * (one === undefined ? countOf(count) : 1.5), unit: name };
}

/** As long ago: whole units by the calendar, and of the rest its part of the unit before. */
export function earlier({ count, unit }: Amount, now: number): number {
  const whole = before(now, Math.floor(count), unit);
  const rest = count - Math.floor(count);
  return rest === 0 ? whole : whole - Math.round(rest * (whole - before(whole, 1, unit)));
}

function unitOf(written: string): { readonly name: Unit; readonly times: number } {
  const found = Object.entries(UNITS).find(([, forms]) => new RegExp(`^(?:${forms})$`, "i").test(written));
  const name = found?.[0] ?? "day";
  return name === "fortnight" ? { name: "week", times: 2 } : { name: name as Unit, times: 1 };
}

function countOf(words = "one"): number {
  const text = words.toLowerCase();
  if (/^[\d.]+$/.test(text)) return Number(text);
  if (/^half/.test(text)) return 0.5;
  if (text.endsWith(" and a half")) return countOf(text.slice(0, -" and a half".length)) + 0.5;
  if (/hundred$/.test(text)) return 100;
  if (/dozen$/.test(text)) return DOZEN;
  if (/^an?$/.test(text)) return 1;
  if (text.includes("couple")) return 2;
  const [ten = "", one = ""] = text.split(/[ -]/);
  const tens = TENS.indexOf(ten);
  if (tens >= 0) return 10 * (tens + 2) + Math.max(0, SMALL.indexOf(one));
  return SMALL.includes(text) ? SMALL.indexOf(text) : FEW;
}
