/**
 * Which items two lists share, in their order: the longest common subsequence, within bounds.
 *
 * @module
 */
import { diffIndices } from "node-diff3";

/** A stretch that both lists have, or one in which they differ; either length may then be 0. */
export interface Stretch {
  readonly isSame: boolean;
  readonly before: readonly [start: number, end: number];
  readonly after: readonly [start: number, end: number];
}

/** Some ten milliseconds; lists that need more have little in common and are taken as different. */
const MAX_STEPS = 2 ** 24;

/** Covers both lists from beginning to end, same and different stretches in turn. */
export function matchLists(before: readonly string[], after: readonly string[]): readonly Stretch[] {
  const { head, tail } = sharedEnds(before, after);
  const ends = [before.length - tail, after.length - tail] as const;
  const stretches: Stretch[] = [];
  let [a, b] = [0, 0];
  const add = (isSame: boolean, endA: number, endB: number): void => {
    if (endA > a || endB > b) stretches.push({ isSame, before: [a, endA], after: [b, endB] });
    [a, b] = [endA, endB];
  };
  add(true, head, head);
  for (const [start, end] of differences(before.slice(head, ends[0]), after.slice(head, ends[1]))) {
    add(true, head + start[0], head + start[1]);
    add(false, head + end[0], head + end[1]);
  }
  add(true, ...ends);
  add(true, before.length, after.length);
  return joined(stretches);
}

/** How many items both lists begin with, and how many of the rest both end with. */
export function sharedEnds(
  before: readonly string[],
  after: readonly string[],
): { readonly head: number; readonly tail: number } {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { head, tail };
}

type Place = readonly [before: number, after: number];

function differences(before: string[], after: string[]): readonly (readonly [start: Place, end: Place])[] {
  if (before.length === 0 && after.length === 0) return [];
  if (before.length === 0 || after.length === 0 || stepsFor(before, after) > MAX_STEPS)
    return [
      [
        [0, 0],
        [before.length, after.length],
      ],
    ];
  return diffIndices(before, after).map(({ buffer1: [a, aLength], buffer2: [b, bLength] }) => [
    [a, b],
    [a + aLength, b + bLength],
  ]);
}

/** For each pair of equal items the library may walk over all matches found so far. */
function stepsFor(before: readonly string[], after: readonly string[]): number {
  const count = new Map<string, number>();
  for (const item of before) count.set(item, (count.get(item) ?? 0) + 1);
  const pairs = after.reduce((sum, item) => sum + (count.get(item) ?? 0), 0);
  return pairs * Math.min(before.length, after.length);
}

/** The shared end follows the last difference without a gap, or stands next to the shared beginning. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const result: Stretch[] = [];
  for (const stretch of stretches) {
    const last = result.at(-1);
    if (last?.isSame !== stretch.isSame) result.push(stretch);
    else {
      const [before, after] = [
        [last.before[0], stretch.before[1]],
        [last.after[0], stretch.after[1]],
      ] as const;
      result[result.length - 1] = { isSame: stretch.isSame, before, after };
    }
  }
  return result;
}
