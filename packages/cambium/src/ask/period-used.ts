/**
 * The period that an answer used, for people and programs: a wrong reading of "last week" has to be seen.
 *
 * @module
 */
import { agoIfBare, CambiumError, type Period, periodAround, readPeriod } from "@cambium/core";
import { omitUndefined, oneLine } from "@cambium/core/text";
import type { ParsedDays } from "./intent.js";

/** In `--json`: local times with their offset. */
export interface PeriodUsed {
  readonly said: string;
  /** Absent: from the beginning. */
  readonly from?: string;
  /** Absent: until now. */
  readonly until?: string;
}

export interface PeriodOptions {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** A period: both at once. */
  readonly on?: string | undefined;
}

/** @throws {CambiumError} BAD_REF, BAD_INPUT; undefined where no option names a time */
export async function periodOfOptions(
  { since, until, on }: PeriodOptions,
  now: number,
): Promise<Period | undefined> {
  if (on !== undefined && (since !== undefined || until !== undefined))
    throw new CambiumError("BAD_INPUT", "Give a period, or since and until, not both.");
  if (on !== undefined) return periodAround(await readPeriod(on, now));
  const [begun, ended] = [
    since === undefined ? undefined : edgeOf(await readPeriod(agoIfBare(since), now), "from"),
    until === undefined ? undefined : edgeOf(await readPeriod(agoIfBare(until), now), "until"),
  ];
  if (begun === undefined && ended === undefined) return undefined;
  refuseNoTime({ since, until, begun, ended }, now);
  const words = [withWord("since", since), withWord("until", until)].filter(Boolean).join(" ");
  return { said: words, ...omitUndefined({ from: begun, until: ended }) };
}

/** @throws {CambiumError} BAD_REF when nothing can have been written in it */
function refuseNoTime(
  { since, until, begun, ended }: PeriodOptions & Record<"begun" | "ended", number | undefined>,
  now: number,
): void {
  const [begin, end] = [begun, ended].map((at) => (at === undefined ? "" : dayText(at, false)));
  if (begun !== undefined && begun > now)
    throw new CambiumError("BAD_REF", `"${since}" is ${begin}, which is still to come.`, {
      hint: "Name a time that has begun.",
    });
  if (begun !== undefined && ended !== undefined && begun > ended)
    throw new CambiumError(
      "BAD_REF",
      `The period ends before it begins: "${since}" is ${begin}, "${until}" is ${end}.`,
      {
        hint: "Give the earlier time first, or name both by their dates.",
      },
    );
}

/** "since friday" and "before March" say by themselves which end they mean. */
const withWord = (word: string, text: string | undefined): string | undefined =>
  text === undefined || /^(?:since|until|till|before|after|from|by)\b/i.test(text) ? text : `${word} ${text}`;

function edgeOf(period: Period, edge: "from" | "until"): number {
  const at = period[edge];
  if (at !== undefined) return at;
  const name = edge === "from" ? "beginning" : "end";
  throw new CambiumError(
    "BAD_REF",
    `"${period.said}" is a period without ${edge === "from" ? "a" : "an"} ${name}.`,
  );
}

/** @returns the same with the names of core */
export const periodOfDays = ({ said, since, until }: ParsedDays): Period => ({
  said,
  ...(since === undefined ? {} : { from: since }),
  ...(until === undefined ? {} : { until }),
});

export const periodUsed = ({ said, from, until }: Period, now: number): PeriodUsed => ({
  said,
  ...(from === undefined ? {} : { from: localIso(from) }),
  ...(isUntilNow(until, now) ? {} : { until: localIso(until) }),
});

/** @returns such as "Period: Mon 2 Nov 2026 – Sun 8 Nov 2026 (last week)" */
export function periodLine({ said, from, until }: Period, now: number): string {
  const name = said === "" ? "" : ` (${said})`;
  const begin = from === undefined ? "the beginning" : dayText(from, from === startOfDay(from));
  if (isUntilNow(until, now)) return `Period: ${begin} – now, ${dayText(now, false)}${name}`;
  const isWholeDays = from !== undefined && from === startOfDay(from) && until === endOfDay(until);
  if (isWholeDays && startOfDay(until) === from) return `Period: ${begin}, the whole day${name}`;
  return `Period: ${begin} – ${dayText(until, until === endOfDay(until))}${name}`;
}

/** The words were read a little while before they are shown. */
const isUntilNow = (until: number | undefined, now: number): until is undefined =>
  until === undefined || until > now - 60_000;

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);
const endOfDay = (at: number): number => new Date(at).setHours(23, 59, 59, 999);

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export function dayText(at: number, isWhole: boolean): string {
  const date = new Date(at);
  const day = `${DAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
  return isWhole ? day : `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

const two = (part: number): string => String(part).padStart(2, "0");

const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/g;

/** @returns a ref as people write one: its moments in local time, such as `main@2026-11-17 11:59` */
export const refText = (ref: string): string =>
  oneLine(ref).replace(MOMENT, (moment) => {
    const at = Date.parse(moment);
    return Number.isNaN(at) ? moment : localIso(at).slice(0, MINUTES).replace("T", " ");
  });

/** Of a local time, up to its minutes. */
const MINUTES = 16;

function localIso(at: number): string {
  const east = -new Date(at).getTimezoneOffset();
  const shifted = new Date(at + east * 60_000).toISOString().slice(0, -1);
  const [hours, minutes] = [Math.floor(Math.abs(east) / 60), Math.abs(east) % 60];
  return `${shifted}${east < 0 ? "-" : "+"}${two(hours)}:${two(minutes)}`;
}
