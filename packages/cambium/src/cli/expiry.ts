/**
 * When something ends, as typed: `7d`, or a date.
 *
 * @module
 */
import { momentOf } from "@cambium/core/calendar";
import { UsageError } from "./usage-error.js";

const MS_BY_UNIT: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const FORM = "Write 90s, 30m, 12h, 7d, 2w, or a date to come such as 2030-12-31.";

/**
 * Returns the end in milliseconds since 1970.
 *
 * @throws {UsageError} when it is neither a duration nor a date, or lies in the past
 */
export function parseExpiry(text: string, nowMs: number): number {
  const [, amount, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const msPerUnit = MS_BY_UNIT[unit];
  const at = msPerUnit === undefined ? (momentOf(text) ?? Number.NaN) : nowMs + Number(amount) * msPerUnit;
  if (Number.isNaN(at)) throw new UsageError(`"${text}" is neither a duration nor a date.`, FORM);
  if (at <= nowMs) throw new UsageError(`"${text}" lies in the past.`, FORM);
  return at;
}
