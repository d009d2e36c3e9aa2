/**
 * A state that is asked for by a date to come.
 *
 * @module
 */
import { isCambiumError, parseStart } from "@cambium/core";
import type { FoundState } from "./state-finder.js";

/** @returns a sentence that says what is shown instead, for a day that has not begun */
export async function ofFuture(found: FoundState, now: number): Promise<readonly string[]> {
  // Of most states it is plain without their words.
  if (found.at === undefined || found.at <= now) return [];
  const { ref } = found.ref;
  const date = ref.slice(ref.indexOf("@") + 1);
  return (await begins(date, now)) > now
    ? [`${date} lies in the future: what is shown is what is known now.`]
    : [];
}

/** The day or the month that it is now ends in the future, and is none. */
async function begins(date: string, now: number): Promise<number> {
  try {
    return await parseStart(date, now);
  } catch (error) {
    if (isCambiumError(error, "BAD_REF")) return Number.NEGATIVE_INFINITY;
    throw error;
  }
}
