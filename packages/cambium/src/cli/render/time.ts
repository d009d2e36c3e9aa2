/**
 * Times for people: how long ago, and when, on their own clock.
 *
 * @module
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Largest first; a unit is used from the first instant at which it counts one. */
const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [365.25 * DAY, "year"],
  [30.4375 * DAY, "month"],
  [7 * DAY, "week"],
  [DAY, "day"],
  [HOUR, "hour"],
  [MINUTE, "minute"],
];

/** @returns such as `3 minutes ago`, `in 2 days` or `just now` */
export function relativeTime(atMs: number, nowMs: number): string {
  const distance = Math.abs(nowMs - atMs);
  const [unitMs, name] = UNITS.find(([ms]) => distance >= ms) ?? [];
  if (unitMs === undefined) return "just now";
  // What lasts seven days ends in seven days, also a moment later.
  const count = atMs <= nowMs ? Math.floor(distance / unitMs) : Math.round(distance / unitMs);
  const words = `${count} ${name}${count === 1 ? "" : "s"}`;
  return atMs <= nowMs ? `${words} ago` : `in ${words}`;
}

/** @returns local time, such as `2026-08-01 14:03` */
export function absoluteTime(atMs: number): string {
  const at = new Date(atMs);
  if (Number.isNaN(at.getTime())) return "an unknown time";
  const two = (part: number): string => String(part).padStart(2, "0");
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

export const fullTime = (atMs: number, nowMs: number): string =>
  `${absoluteTime(atMs)} (${relativeTime(atMs, nowMs)})`;
