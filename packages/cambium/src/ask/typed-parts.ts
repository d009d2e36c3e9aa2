/**
 * The dates, times of day and numbers that a text says. Of one kind, one takes the place of the other: a new date
 * replaces a date, and leaves the hour as it is. Pure.
 *
 * @module
 */
export type PartKind = "date" | "time" | "number";

export interface TypedPart {
  readonly kind: PartKind;
  /** Of a number: what it counts, such as `euro`. */
  readonly unit?: string;
  readonly text: string;
  /** Where it stands, in characters. */
  readonly start: number;
  readonly end: number;
}

const DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?";
const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b";
const NTH = "\\d{1,2}(?:st|nd|rd|th)";
const YEAR = "(?:,? (?:19|20)\\d\\d\\b)?";
const OF_MONTH = [
  `(?:the )?(?:${NTH}|\\d{1,2}\\.?)(?: of)? ${MONTH}${YEAR}`,
  `${MONTH} (?:the )?(?:${NTH}|\\d{1,2}(?![\\d:]))${YEAR}`,
  `${MONTH} (?:19|20)\\d\\d\\b`,
  `the ${NTH}\\b`,
  "\\d{4}-\\d\\d-\\d\\d",
  "\\d{1,2}\\.\\d{1,2}\\.(?:\\d{4}|\\d\\d)?",
  "\\d{1,2}/\\d{1,2}/(?:\\d{4}|\\d\\d)",
].join("|");
const DATE = [
  `(?:(?:next|this|last) )?${DAY}(?:,? (?:${OF_MONTH}))?`,
  OF_MONTH,
  "(?:next|this|last) (?:week|weekend|month|year|spring|summer|autumn|fall|winter)",
  "today|tomorrow|tonight|yesterday",
  MONTH,
  "(?:19|20)\\d\\d(?![\\d.,:-]*\\d)",
].join("|");
const HOUR =
  "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d{1,2})(?: o'clock| ?[ap]\\.?m\\b\\.?)?";
const TIME = [
  "\\d{1,2}:\\d\\d(?::\\d\\d)?(?: ?[ap]\\.?m\\b\\.?)?",
  "\\d{1,2}\\.\\d\\d ?(?:[ap]\\.m\\.|[ap]m\\b)",
  "\\d{1,2} ?(?:[ap]\\.m\\.|[ap]m\\b|o'clock\\b|h\\b)",
  `(?:half|quarter|five|ten|twenty)(?: past| to) ${HOUR}`,
  "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) o'clock",
  "noon|midday|midnight",
  // "At 3", and not "at 3 Main Street".
  "(?<=\\bat )(?:1[0-2]|[1-9])(?=[,.;!?)]*(?:$| (?:on|in|with|and)\\b))",
].join("|");
const UNIT = "euros?|eur|usd|dollars?|bucks|pounds?|quid|gbp|chf|francs?|%|percent|€|\\$|£";
const NUMBER = `[€$£]?\\d+(?:[.,:/-]\\d+)*(?: ?(?:${UNIT})(?![\\p{L}\\d]))?`;

const PART = new RegExp(
  `(?<![\\p{L}\\d])(?:(?<time>${TIME})|(?<date>${DATE})|(?<number>${NUMBER}))(?![\\p{L}\\d])`,
  "giu",
);
/** Words first, and months when they are written as names. */
const NO_MONTH = /^(?:may|march|mar|dec|sun)$/;
const SIGNS: Readonly<Record<string, string>> = {
  "€": "euro",
  eur: "euro",
  $: "dollar",
  usd: "dollar",
  bucks: "dollar",
  "£": "pound",
  gbp: "pound",
  quid: "pound",
  francs: "chf",
  franc: "chf",
  percent: "%",
};

/** In the order in which they stand. */
export function typedParts(text: string): readonly TypedPart[] {
  return [...text.matchAll(PART)].flatMap((match) => {
    const { time, date } = match.groups ?? {};
    const [found] = match;
    if (date !== undefined && NO_MONTH.test(found)) return [];
    const kind = time !== undefined ? "time" : date !== undefined ? "date" : "number";
    const unit = kind === "number" ? unitOf(found) : undefined;
    const place = { text: found, start: match.index, end: match.index + found.length };
    return [{ kind, ...(unit === undefined ? {} : { unit }), ...place }];
  });
}

function unitOf(number: string): string | undefined {
  const written = /[€$£]|\p{L}+|%/u.exec(number)?.[0].toLowerCase();
  return written === undefined ? undefined : (SIGNS[written] ?? written.replace(/s$/, ""));
}

/** @returns those that a part can take the place of: of the same unit, or where one has none */
export function replacedBy<T extends TypedPart>(part: TypedPart, parts: readonly T[]): readonly T[] {
  const alike = parts.filter(({ kind }) => kind === part.kind);
  const exact = alike.filter(({ unit }) => part.unit === undefined || unit === part.unit);
  return exact.length > 0 ? exact : alike.filter(({ unit }) => unit === undefined);
}

/** Spoken so, and written as the amount that was there: "£12" for "£10". */
const IN_SPEECH = / (?:quid|bucks)$/i;

/** A number without a unit leaves the unit that stands there. */
export function inPlaceOf(old: TypedPart, now: TypedPart): string {
  if (now.kind !== "number") return asWritten(old.text, now.text);
  if (now.unit !== undefined && now.unit === old.unit && IN_SPEECH.test(now.text))
    return old.text.replace(/\d.*\d|\d/, now.text.replace(IN_SPEECH, ""));
  if (now.unit !== undefined || old.unit === undefined) return now.text;
  return old.text.replace(/\d.*\d|\d/, now.text);
}

/** "Friday" for "Thursday" begins large, and 3 for "2 pm" is one of the afternoon. */
function asWritten(old: string, now: string): string {
  // "The 24th" for "December 17" is of that month.
  const day = /^the (\d{1,2})(?:st|nd|rd|th)$/i.exec(now)?.[1];
  if (day !== undefined && OF_A_MONTH.test(old)) return old.replace(/\d{1,2}/, day);
  // "The 9th of November" for "19 November 2026" is of that year, and written so.
  const { date, month } = NTH_OF.exec(now)?.groups ?? {};
  const { year } = DAY_OF_MONTH.exec(old)?.groups ?? {};
  if (date !== undefined && month !== undefined && year !== undefined)
    return `${date} ${month.charAt(0).toUpperCase()}${month.slice(1)}${year}`;
  const half = /^\d{1,2}$/.test(now) ? (/ ?[ap]\.?m\.?$/i.exec(old)?.[0] ?? "") : "";
  // "On Tuesdays", where "on Mondays" was said and the day moved to Tuesday.
  const many = /days$/i.test(old) && /day$/i.test(now) ? "s" : "";
  const isLarge = /^\p{Lu}/u.test(old) && /^\p{Ll}/u.test(now) && IS_NAME.test(now);
  return `${isLarge ? now.charAt(0).toUpperCase() + now.slice(1) : now}${many}${half}`;
}

const NTH_OF = new RegExp(`^(?:the )?(?<date>\\d{1,2})(?:st|nd|rd|th)?\\.?(?: of)? (?<month>${MONTH})$`, "i");
const DAY_OF_MONTH = new RegExp(`^\\d{1,2} ${MONTH}(?<year>(?:,? (?:19|20)\\d\\d)?)$`, "i");
const OF_A_MONTH = new RegExp(`\\b${MONTH}.* \\d{1,2}$|^\\d{1,2}\\.? ${MONTH}`, "i");
const IS_NAME = new RegExp(`^(?:${DAY}|${MONTH})`, "i");
