/**
 * Reciprocal rank fusion: one order from several that measure in different units.
 *
 * @module
 */

/** Damps the lead of first places; the value of the paper, which found nothing near it to matter. */
const RANK_OFFSET = 60;

export interface Fused<Item> {
  readonly item: Item;
  readonly score: number;
}

/**
 * Returns every item of the rankings, best first; equal ones stay in the order of first appearance.
 *
 * @param rankings - each best first and without repeats
 * @see G. Cormack, C. Clarke, S. Büttcher, "Reciprocal Rank Fusion", SIGIR 2009
 */
export function fuse<Item>(rankings: readonly (readonly Item[])[]): readonly Fused<Item>[] {
  const scores = new Map<Item, number>();
  for (const ranking of rankings)
    for (const [index, item] of ranking.entries())
      scores.set(item, (scores.get(item) ?? 0) + 1 / (RANK_OFFSET + index + 1));
  return [...scores].map(([item, score]) => ({ item, score })).sort((a, b) => b.score - a.score);
}
