/**
 * From which moment of its parent a branch starts.
 *
 * @module
 */
import type { BranchEntry, ChangeHash } from "@cambium/core";
import type { IndexTables } from "../index-store/index-tables.js";
import type { BranchView } from "./branch-views.js";

/** @returns undefined for main */
export function startOf({ startsAt, createdAt, parent }: BranchEntry): number | undefined {
  return parent === undefined ? undefined : (startsAt ?? createdAt);
}

/**
 * That of the newest change that it begins with, or of the first of all if it begins with none.
 *
 * @returns undefined unless its parent has more by the time that it is made
 */
export function startInThePast(
  { changes }: Pick<IndexTables, "changes">,
  { row }: BranchView,
  heads: readonly ChangeHash[],
  now: number,
): number | undefined {
  const begun = heads.flatMap((head) => changes.placeOf(row, head)?.at ?? []);
  if (begun.length === 0) return undefined;
  const newest = Math.max(...begun);
  const last = changes.lastPlaceUntil(row, now);
  if (last === undefined || last.at <= newest) return undefined;
  if (newest > 0) return newest;
  const first = changes.hashAt(row, 1); // what every branch begins with has no time
  return first === undefined ? undefined : changes.placeOf(row, first)?.at;
}
