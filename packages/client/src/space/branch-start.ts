/**
 * From which moment of its parent a branch starts.
 *
 * @module
 */
import type { BranchEntry } from "@cambium/core";
import type { IndexTables } from "../index-store/index-tables.js";
import type { BranchView } from "./branch-views.js";

type Fork = Pick<BranchEntry, "forkHeads" | "createdAt">;

/**
 * The catalog keeps what a branch began with, and not the moment that was asked for. When its parent had more by the
 * time that it was made, it was made of the past.
 *
 * @returns undefined while the parent is not here
 */
export function startOf(
  { changes }: Pick<IndexTables, "changes">,
  { row, absence }: BranchView,
  { forkHeads, createdAt }: Fork,
): number | undefined {
  if (absence !== undefined) return undefined;
  const begun = (forkHeads ?? []).flatMap((head) => changes.placeOf(row, head)?.at ?? []);
  if (begun.length === 0) return createdAt;
  const newest = Math.max(...begun);
  const last = changes.lastPlaceUntil(row, createdAt);
  if (last === undefined || last.at <= newest) return createdAt;
  if (newest > 0) return newest;
  const first = changes.hashAt(row, 1); // what every branch begins with has no time
  return first === undefined ? createdAt : (changes.placeOf(row, first)?.at ?? createdAt);
}
