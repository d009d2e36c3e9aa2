/**
 * Which stretches of a list of tokens were changed, by one side or by both: the regions of a three-way merge.
 *
 * @module
 */
import { diffIndices } from "node-diff3";

export interface ThreeTokenLists {
  readonly base: readonly string[];
  readonly a: readonly string[];
  readonly b: readonly string[];
}

/** A stretch that a side changed, in all three texts; what nobody changed stands between two of them. */
export interface ChangedRegion {
  /** What stands between the region before and this one; after the last region, what is left. */
  readonly unchanged: string;
  readonly base: string;
  readonly a: string;
  readonly b: string;
}

/**
 * Returns the regions in order. Changes of the two sides that overlap or touch are one region, since where
 * they touch nothing says in which order they belong. The last region may be empty: it carries what is left.
 */
export function changedRegions({ base, a, b }: ThreeTokenLists): readonly ChangedRegion[] {
  const hunks = [...hunksOf(base, a, "a"), ...hunksOf(base, b, "b")].sort((x, y) => x.start - y.start);
  const regions: ChangedRegion[] = [];
  const growth = { a: 0, b: 0 };
  let at = 0;
  for (let next = 0; next < hunks.length; ) {
    const start = (hunks[next] as Hunk).start;
    const starts = { a: start + growth.a, b: start + growth.b };
    let end = start;
    for (let hunk = hunks[next]; hunk !== undefined && hunk.start <= end; hunk = hunks[next]) {
      end = Math.max(end, hunk.end);
      growth[hunk.side] += hunk.growth;
      next += 1;
    }
    regions.push({
      unchanged: base.slice(at, start).join(""),
      base: base.slice(start, end).join(""),
      a: a.slice(starts.a, end + growth.a).join(""),
      b: b.slice(starts.b, end + growth.b).join(""),
    });
    at = end;
  }
  return [...regions, { unchanged: base.slice(at).join(""), base: "", a: "", b: "" }];
}

interface Hunk {
  readonly side: "a" | "b";
  readonly start: number;
  readonly end: number;
  /** How many tokens longer the side's stretch is. */
  readonly growth: number;
}

function hunksOf(base: readonly string[], changed: readonly string[], side: "a" | "b"): readonly Hunk[] {
  return diffIndices(base as string[], changed as string[]).map(
    ({ buffer1: [start, length], buffer2: [, written] }) => ({
      side,
      start,
      end: start + length,
      growth: written - length,
    }),
  );
}
