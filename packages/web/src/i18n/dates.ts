/**
 * Dates as a person says them, in the reader's locale.
 *
 * @module
 */
import { dateFormat, numberFormat, relativeFormat } from "./formats.ts";
import type { Reader } from "./text.ts";

export const DAY_MS = 86_400_000;

/** `2026-03-03`, of the reader's clock. */
export function dayOf(time: number): string {
  const at = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The first millisecond of a day such as `2026-03-03`. */
export function startOfDay(day: string): number {
  const [year = 1970, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date).getTime();
}

/** A day some days later; days are not all 24 hours long. */
export function addDays(day: string, count: number): string {
  const [year = 1970, month = 1, date = 1] = day.split("-").map(Number);
  return dayOf(new Date(year, month - 1, date + count, 12).getTime());
}

export const endOfDay = (day: string): number => startOfDay(addDays(day, 1)) - 1;

/** Monday, or Sunday where weeks begin with it. */
export function weekOf(day: string, firstDay = 1): string {
  const weekday = new Date(startOfDay(day) + DAY_MS / 2).getDay();
  return addDays(day, -((weekday - firstDay + 7) % 7));
}

type Style = Intl.DateTimeFormatOptions;

const format = ({ locale }: Reader, time: number, style: Style): string =>
  dateFormat(locale, style).format(time);

const yearIfOther = (time: number, now: number): Style =>
  new Date(time).getFullYear() === new Date(now).getFullYear() ? {} : { year: "numeric" };

/** 3 March; with the year where it is another. */
export const date = (reader: Reader, time: number, now = Date.now()): string =>
  format(reader, time, { day: "numeric", month: "long", ...yearIfOther(time, now) });

/** 3 March 2026 */
export const fullDate = (reader: Reader, time: number): string =>
  format(reader, time, { day: "numeric", month: "long", year: "numeric" });

/** Tuesday 3 March */
export const weekdayDate = (reader: Reader, time: number, now = Date.now()): string =>
  format(reader, time, { weekday: "long", day: "numeric", month: "long", ...yearIfOther(time, now) });

export const weekday = (reader: Reader, time: number): string => format(reader, time, { weekday: "long" });

export const clock = (reader: Reader, time: number): string =>
  format(reader, time, { hour: "2-digit", minute: "2-digit" });

/** Mar; with the year in January. */
export function monthTick(reader: Reader, time: number): string {
  const isJanuary = new Date(time).getMonth() === 0;
  return format(reader, time, isJanuary ? { month: "short", year: "numeric" } : { month: "short" });
}

/** Today, Yesterday, or the date. */
export function dayName(reader: Reader, day: string, now = Date.now()): string {
  const today = dayOf(now);
  if (day === today) return reader.t("common.today");
  if (day === addDays(today, -1)) return reader.t("common.yesterday");
  return date(reader, startOfDay(day) + DAY_MS / 2, now);
}

/** 11:02 today; the day before that. */
export function when(reader: Reader, time: number, now = Date.now()): string {
  return dayOf(time) === dayOf(now) ? clock(reader, time) : date(reader, time, now);
}

/** today, 14:05; tomorrow, 14:05; else with the date */
export function dayAndTime(reader: Reader, time: number, now = Date.now()): string {
  const days = Math.round((startOfDay(dayOf(time)) - startOfDay(dayOf(now))) / DAY_MS);
  if (Math.abs(days) > 1)
    return format(reader, time, { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" });
  const day = relativeFormat(reader.locale, { numeric: "auto" }).format(days, "day");
  return `${day}, ${clock(reader, time)}`;
}

/** The same in a narrow column: 3 Mar */
export function whenShort(reader: Reader, time: number, now = Date.now()): string {
  if (dayOf(time) === dayOf(now)) return clock(reader, time);
  return format(reader, time, { day: "numeric", month: "short", ...yearIfOther(time, now) });
}

/** 2 days; at least a minute */
export function lengthOf({ locale }: Reader, ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  const hours = Math.round(minutes / 60);
  const inUnit = (count: number, unit: string) =>
    numberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count);
  if (minutes < 60) return inUnit(minutes, "minute");
  return hours < 48 ? inUnit(hours, "hour") : inUnit(Math.round(hours / 24), "day");
}

/** 3 hours ago */
export function ago({ locale, t }: Reader, time: number, now = Date.now()): string {
  const relative = relativeFormat(locale, { numeric: "auto" });
  const minutes = Math.round((time - now) / 60_000);
  if (minutes === 0) return t("common.justNow");
  if (Math.abs(minutes) < 60) return relative.format(minutes, "minute");
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 48
    ? relative.format(hours, "hour")
    : relative.format(Math.round(hours / 24), "day");
}
