/**
 * What makes an answer right. A peer that answers wrongly stops the run.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Oracle } from "./oracle.ts";
import type { Differences, Found, Merged, Texts } from "./peer.ts";
import type { BranchMerge, Period } from "./plan.ts";

const BEST = 10;
/** What stemming may take off the end of a word. */
const LONGEST_ENDING = 4;
const SHORTEST_STEM = 2;

export function checkRead(oracle: Oracle, id: string, text: string): void {
  assert.equal(text, oracle.contentOf(id));
}

/** Rankings differ between peers; that what they give has to do with the words does not. */
export function checkFound(oracle: Oracle, words: readonly string[], { kind, ids }: Found): void {
  assert.equal(new Set(ids).size, ids.length, "A memory was found twice.");
  const containing = oracle.containing(words);
  if (kind === "all") {
    assert.deepEqual(new Set(ids), containing);
    return;
  }
  const stems = words.map((word) => word.slice(0, Math.max(SHORTEST_STEM, word.length - LONGEST_ENDING)));
  for (const id of ids) {
    const text = oracle.searchable(id);
    assert(
      stems.some((stem) => text.includes(stem)),
      `Found without any of "${words.join(" ")}".`,
    );
  }
  if (kind === "ten best") {
    const asWords = [...containing].filter((id) => hasWord(oracle.searchable(id), words));
    assert(
      ids.length <= BEST && ids.length >= Math.min(BEST, asWords.length),
      "Too few or too many were found.",
    );
  }
}

const hasWord = (text: string, words: readonly string[]): boolean => {
  const inText = new Set(text.split(/[^a-z]+/));
  return words.some((word) => inText.has(word));
};

export function checkState(oracle: Oracle, time: number, state: Texts): void {
  const expected = oracle.stateAt(time);
  assert(expected.size > 0);
  assert.deepEqual(new Set(state.keys()), new Set(expected.keys()));
  for (const [id, text] of state) if (text !== undefined) assert.equal(text, expected.get(id));
}

export function checkHistory(oracle: Oracle, id: string, texts: readonly string[]): void {
  assert.deepEqual(texts, oracle.versionsOf(id));
}

export function checkDiff(oracle: Oracle, { from, to }: Period, differences: Differences): void {
  const [earlier, later] = [oracle.stateAt(from), oracle.stateAt(to)];
  const changed = [...later].filter(([id, text]) => earlier.get(id) !== text).map(([id]) => id);
  assert(changed.length > 0);
  assert.deepEqual(new Set(differences.keys()), new Set(changed));
  for (const [id, { before, after }] of differences) {
    if (before !== undefined) assert.equal(before, earlier.get(id) ?? null);
    if (after !== undefined) assert.equal(after, later.get(id));
  }
}

/** Both sides' text where both wrote it, or both texts named as a conflict: nothing is lost in silence. */
export async function checkMerged(
  { expected, onBranch, onMain }: BranchMerge,
  { conflicts }: Merged,
  read: (id: string) => Promise<string>,
): Promise<void> {
  const [theirs, ours] = [onBranch, onMain].map(
    (writes) => new Map(writes.map(({ id, content }) => [id, content])),
  );
  for (const [id, text] of expected) {
    const sides = conflicts.get(id);
    if (sides === undefined) assert.equal(await read(id), text);
    else assert.deepEqual(new Set(sides), new Set([theirs?.get(id), ours?.get(id)]));
  }
}
