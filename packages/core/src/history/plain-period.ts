/**
 * Other ways to say a period, brought to the forms that are read: "older than 30 days", "so far this week",
 * "March last year", "the 20th".
 *
 * @module
 */
import { AMOUNT } from "./counted-units.js";
import { before, days, months, type Stretch } from "./stretches.js";

const UNGROUPED = AMOUNT.replace(/\?<\w+>/g, "?:");

/** What says the same as a period with edges. */
const SAME_EDGES: readonly (readonly [RegExp, string])[] = [
  [/^(week|month|quarter|year) to date$/i, "this $1"],
  [new RegExp(`^(?:more than|at least|over|longer than) (${UNGROUPED}) ago$`, "i"), "before $1 ago"],
  [new RegExp(`^older than (${UNGROUPED})$`, "i"), "before $1 ago"],
  [new RegExp(`^(?:less than|at most|no more than) (${UNGROUPED}) ago$`, "i"), "since $1 ago"],
  [new RegExp(`^(?:newer|younger|more recent|no older) than (${UNGROUPED})$`, "i"), "since $1 ago"],
];

const MONTH =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
/** What says the same as one stretch. */
const SAME_STRETCH: readonly (readonly [RegExp, string])[] = [
  [/^(?:all of|all through|the whole of|the whole|all day|the month of|the year(?: of)?(?= \d{4}$)) /i, ""],
  [/^so far (?=to|this)|^earlier (?=this )| so far$/i, ""],
  [new RegExp(`^the (?=\\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${MONTH})\\b)`, "i"), ""],
  [new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)? of (?=(?:${MONTH})\\b)`, "i"), "$1 "],
  [new RegExp(`^((?:\\d{1,2} )?(?:${MONTH})) of (?=\\d{4}$|last year$|this year$)`, "i"), "$1 "],
];
const MONTH_OF_YEAR = new RegExp(`\\b(?:${MONTH})(?: \\d{1,2}(?:st|nd|rd|th)?)?,? (last|this) year$`, "i");
const DAY_OF_MONTH = /^(?:the )?(\d{1,2})(?:st|nd|rd|th)(?: of (last|this) month)?$/i;
const QUARTER = /^q([1-4])(?:,? (?:of )?(\d{4}|last year|this year))?$/i;
const MONTHS_OF_QUARTER = 3;

/** @returns the same with "before" and "since" */
export const withPlainEdges = (words: string): string => replaced(words, SAME_EDGES);

/** @returns the same without words that add nothing, and with the year in digits */
export function plainStretch(words: string, now: number): string {
  const plain = replaced(words, SAME_STRETCH);
  const [, which] = MONTH_OF_YEAR.exec(plain) ?? [];
  return which === undefined ? plain : plain.replace(/(?:last|this) year$/i, String(yearNamed(which, now)));
}

const replaced = (words: string, forms: readonly (readonly [RegExp, string])[]): string =>
  forms.reduce((text, [form, plain]) => text.replace(form, plain), words);

const yearNamed = (words: string | undefined, now: number): number =>
  /^\d+$/.test(words ?? "")
    ? Number(words)
    : new Date(now).getFullYear() - (/^last/i.test(words ?? "") ? 1 : 0);

/** "The 20th" is the last one that has begun, and "Q3" likewise. Undefined for other words. */
export function ordinalStretch(words: string, now: number): Stretch | undefined {
  return dayOfMonth(words, now) ?? quarter(words, now);
}

function dayOfMonth(words: string, now: number): Stretch | undefined {
  const [, day, which] = DAY_OF_MONTH.exec(words) ?? [];
  if (day === undefined) return undefined;
  const isLast = which === undefined ? Number(day) > new Date(now).getDate() : /^last$/i.test(which);
  const month = new Date(before(now, isLast ? 1 : 0, "month"));
  const stretch = days(new Date(month.getFullYear(), month.getMonth(), Number(day)), 0, 1);
  return new Date(stretch.start).getDate() === Number(day) ? stretch : undefined; // no 31st of a month with 30 days
}

function quarter(words: string, now: number): Stretch | undefined {
  const [, number, year] = QUARTER.exec(words) ?? [];
  if (number === undefined) return undefined;
  const first = MONTHS_OF_QUARTER * (Number(number) - 1);
  const stretch = months(new Date(yearNamed(year, now), 0, 1), first, MONTHS_OF_QUARTER);
  if (year !== undefined || stretch.start <= now) return stretch;
  return months(new Date(yearNamed("last", now), 0, 1), first, MONTHS_OF_QUARTER);
}
