/**
 * The merge is part of the format: two replicas that read the same records must show the same memory.
 * Word splitting, text merging and every rule in this folder change only together with this number,
 * which each space keeps in its catalog: the newest by which any of its writers merges.
 *
 * - 1: by words and by items, against what all sides started from
 * - 2: a restore or a rollback combines with nothing, and an undo is as if what it took back had not been
 * - 3: two sides that edited one statement are in conflict, also where they edited different words of it
 *
 * Merges are computed when read, so what was written under an earlier version is read under this one.
 *
 * @module
 */
import type { Catalog } from "../catalog.js";

/** The version of the merge that this Cambium computes. */
export const MERGE_VERSION = 3;

/** @returns 0 when the space has not said */
export function mergeVersionOf({ settings }: Pick<Catalog, "settings">): number {
  const stated = settings.get("mergeVersion");
  const versions = stated === undefined ? [] : [stated.value, ...stated.others];
  return Math.max(0, ...versions.map(({ value }) => (typeof value === "number" ? value : 0)));
}
