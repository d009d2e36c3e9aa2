/**
 * Weeks of ISO 8601, in UTC: the same on every device, wherever it stands.
 *
 * @module
 */

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** 1970 began on a Thursday; its week on the Monday before. */
const MONDAY_OFFSET_MS = 3 * DAY_MS;

/** How many weeks have begun since that of 1970-01-01, which is 0. @param time - milliseconds since 1970 */
export const weekNumber = (time: number): number => Math.floor((time + MONDAY_OFFSET_MS) / WEEK_MS);

/** Such as `2026-w47`. A week belongs to the year that has its Thursday. */
export function weekName(time: number): string {
  const thursday = weekNumber(time) * WEEK_MS;
  const year = new Date(thursday).getUTCFullYear();
  const week = 1 + Math.floor((thursday - Date.UTC(year, 0, 1)) / WEEK_MS);
  return `${year}-w${String(week).padStart(2, "0")}`;
}
