/**
 * Whether a sentence has words of its own for what it asks to be done: "everything about the flat" has none that say
 * that it is to be forgotten, whatever the reader makes of it as a whole. Pure.
 *
 * @module
 */
import { ACTS, type Act } from "./acts.js";
import { classesOf, stemOf } from "./lexicon.js";
import { hashOf, scoresOf } from "./linear-model.js";
import type { TrainedModel } from "./model-bytes.js";
import { tokensOf } from "./tokens.js";

interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface Cue {
  /** How much more the word, or the pair of words, that speaks most for these acts speaks for them than for others. */
  readonly most: number;
  /** All words that speak for them. */
  readonly words: readonly string[];
}

/** @param about - what the sentence is about: no word of it counts */
export function cueFor(
  model: TrainedModel,
  sentence: string,
  acts: readonly Act[],
  about: readonly Stretch[],
): Cue {
  const all = tokensOf(sentence).map(({ word, start, end }) =>
    about.some((part) => start < part.end && part.start < end) ? undefined : word,
  );
  const words = new Set<string>();
  let most = 0;
  for (const [at, word] of all.entries()) {
    if (word === undefined) continue;
    const next = all[at + 1];
    const alone = [`w ${word}`, `s ${stemOf(word)}`, ...classesOf(word).map((one) => `l ${one}`)];
    const pair = next === undefined ? [] : [`w ${word} ${next}`, `s ${stemOf(word)} ${stemOf(next)}`];
    const [one, two] = [marginOf(model, alone, acts), marginOf(model, pair, acts)];
    if (one > LEAST) words.add(word);
    if (two > LEAST && next !== undefined) words.add(word).add(next);
    most = Math.max(most, one, two);
  }
  return { most, words: [...words] };
}
/** Less is chance. */
const LEAST = 0.3;

function marginOf(
  { acts: weights }: TrainedModel,
  features: readonly string[],
  acts: readonly Act[],
): number {
  const scores = scoresOf(weights, features.map(hashOf), 1).map(
    (score, at) => score - (weights.bias[at] ?? 0),
  );
  const best = (wanted: boolean): number =>
    scores.reduce(
      (most, score, at) => (acts.includes(ACTS[at] as Act) === wanted ? Math.max(most, score) : most),
      Number.NEGATIVE_INFINITY,
    );
  return best(true) - best(false);
}
