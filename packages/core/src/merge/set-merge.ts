/**
 * Three-way merge of sets: what any side added is in, what any side removed is out.
 *
 * @module
 */
import { compareText } from "../format/bytes.js";
import type { Link } from "../format/record.js";

export type SetItem = string | Link;

/**
 * Returns the merge of any number of sides, sorted and without duplicates.
 *
 * @param base - what all sides started from; undefined when there is no single such set, and then
 * nothing is known to have been removed
 */
export function mergeSets<Item extends SetItem>(
  base: readonly Item[] | undefined,
  sides: readonly (readonly Item[])[],
): readonly Item[] {
  const baseKeys = new Set((base ?? []).map(itemKey));
  const keysBySide = sides.map((side) => new Set(side.map(itemKey)));
  return canonicalSet(sides.flat()).filter((item) => {
    const key = itemKey(item);
    return !baseKeys.has(key) || keysBySide.every((keys) => keys.has(key));
  });
}

/** Sorted by code unit and without duplicates, so that equal sets are equal bytes. */
export function canonicalSet<Item extends SetItem>(items: readonly Item[]): readonly Item[] {
  const itemByKey = new Map(items.map((item) => [itemKey(item), item]));
  return [...itemByKey].sort(([a], [b]) => compareText(a, b)).map(([, item]) => item);
}

const itemKey = (item: SetItem): string =>
  typeof item === "string" ? item : JSON.stringify([item.rel, item.to]);
