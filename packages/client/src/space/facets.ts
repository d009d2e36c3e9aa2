/**
 * What the memories of a state are, in counts: how many bear each label.
 *
 * @module
 */
import { compareText, FILTER_LABELS, type FilterLabel, labelsOf } from "@cambium/core";
import type { Facet, FacetOptions, Facets } from "../api.js";
import { isHidden } from "../index-store/interval-store.js";
import type { ShownMetadata } from "../index-store/snapshot-metadata.js";
import { passesOf } from "./memory-filter.js";

const COUNTED = [...FILTER_LABELS, "device"] as const;
type Counted = (typeof COUNTED)[number];

/** The filter of a label is left out where its values are counted: those are the ones to choose from. */
export async function facetsOf(
  memories: readonly ShownMetadata[],
  options: FacetOptions,
  now: number,
): Promise<Omit<Facets, "conflicts">> {
  const passes = await passesOf(options, now);
  const passing = memories.filter(passes);
  const countsOf = async (label: Counted): Promise<readonly Facet[]> => {
    if (options[label] === undefined) return counted(passing, label);
    return counted(memories.filter(await passesOf({ ...options, [label]: undefined }, now)), label);
  };
  const facets = await Promise.all(COUNTED.map(async (label) => [label, await countsOf(label)] as const));
  const total = passing.filter(({ deleted, erased }) => !isHidden(deleted, erased)).length;
  return {
    ...{ total, forgotten: passing.length - total },
    ...(Object.fromEntries(facets) as Record<Counted, readonly Facet[]>),
  };
}

function counted(memories: readonly ShownMetadata[], label: Counted): readonly Facet[] {
  const counts = new Map<string, number>();
  for (const memory of memories) {
    if (isHidden(memory.deleted, memory.erased)) continue;
    const values = label === "device" ? [memory.by.replica] : labelsOf(memory, label as FilterLabel);
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || compareText(a.value, b.value));
}
