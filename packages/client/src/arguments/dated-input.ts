/**
 * The times of a memory in words, such as "last Friday", as numbers.
 *
 * @module
 */

import { periodOrNone } from "@cambium/core";
import { momentOf } from "@cambium/core/calendar";
import { MEMORY_FIELDS } from "@cambium/core/state-fields";

const TIMES = Object.entries(MEMORY_FIELDS).flatMap(([field, { type }]) => (type === "time" ? [field] : []));
const DIGIT_FIRST = /^[+-]?\d{4,}/;

/** What is no time either way is left as it is: it is refused where all fields are. */
export async function datedInput<Input extends object>(input: Input, now: number): Promise<Input> {
  const fields = input as Record<string, unknown>;
  const written = TIMES.filter((field) => typeof fields?.[field] === "string" && isInWords(fields[field]));
  if (written.length === 0) return input;
  const read = await Promise.all(
    written.map(async (field) => {
      const period = await periodOrNone(String(fields[field]), now);
      const at = field === "validUntil" ? (period?.until ?? period?.from) : (period?.from ?? period?.until);
      return [field, at ?? fields[field]] as const;
    }),
  );
  return { ...input, ...Object.fromEntries(read) };
}

/** A date in digits means its first moment, in UTC, and has to be one of the calendar. */
const isInWords = (text: unknown): boolean =>
  typeof text === "string" && momentOf(text) === undefined && !DIGIT_FIRST.test(text.trim());
