/**
 * Finds the parts of a sentence, given what it asks for: a tag for each token by weights of its features, and of one
 * tag after another. Pure.
 *
 * @module
 */
import { ACTS, type Act, type KnownNames, SLOT_NAMES, type SlotName } from "./acts.js";
import { type Lattice, likeliest, likelihoodOf, sumsOf } from "./lattice.js";
import { hashOf, type LinearWeights, scoresOf } from "./linear-model.js";
import { slotFeatures } from "./slot-features.js";
import { beginsOf, goesOnOf, isInside, mayFollow, partsOf, TAGS } from "./tags.js";
import { namesAmong, type Token, tokensOf } from "./tokens.js";

export interface SlotWeights {
  readonly tokens: LinearWeights;
  /** A score for each tag after each tag: a row for the one before. */
  readonly after: readonly number[];
  /** Which tags sentences of an act have, by the number of the act. */
  readonly allowed: readonly (readonly number[])[];
}

export interface TrainedSlot {
  readonly name: SlotName;
  readonly text: string;
  /** In UTF-16 units of the sentence. */
  readonly start: number;
  readonly end: number;
  /** From 0 to 1: how likely it is this part, from its first to its last letter. */
  readonly sureness: number;
}

export function slotsIn(
  weights: SlotWeights,
  sentence: string,
  act: Act,
  names: KnownNames,
): readonly TrainedSlot[] {
  const tokens = tokensOf(sentence);
  if (tokens.length === 0) return [];
  const scores = slotFeatures(tokens, namesAmong(tokens, names), act).map((features) =>
    scoresOf(weights.tokens, features.map(hashOf), 1 / Math.sqrt(features.length)),
  );
  const lattice = latticeOf(scores, weights.after, weights.allowed[ACTS.indexOf(act)] ?? []);
  const sums = sumsOf(lattice);
  const found = partsOf(likeliest(lattice)).flatMap(({ name, from, to }) => {
    const slot = SLOT_NAMES.indexOf(name);
    const stretch = { from, to, begins: beginsOf(slot), goesOn: goesOnOf(slot) };
    const place = textOf(tokens.slice(from, to));
    const text = place === undefined ? "" : sentence.slice(place.start, place.end);
    return place === undefined
      ? []
      : [{ name, text, ...place, sureness: likelihoodOf(lattice, sums, stretch) }];
  });
  return found.filter(
    (one) =>
      !ONE_AT_MOST.has(one.name) ||
      found.every((other) => other.name !== one.name || other.sureness <= one.sureness),
  );
}

/** A sentence has no second one of these: the surest counts. */
const ONE_AT_MOST: ReadonlySet<SlotName> = new Set<SlotName>([
  "topic",
  "content",
  "new",
  "old",
  "into",
  "name",
  "state",
  "category",
]);

/** @param scores - of each tag, for each token */
export function latticeOf(
  scores: readonly Float64Array[],
  after: ArrayLike<number>,
  allowed: readonly number[],
): Lattice {
  const raised: Lattice = {
    tags: TAGS,
    length: scores.length,
    here: new Float64Array(TAGS * scores.length),
    after: new Float64Array(TAGS * TAGS),
  };
  for (const before of allowed)
    for (const tag of allowed)
      if (mayFollow(before, tag))
        raised.after[before * TAGS + tag] = Math.exp(after[before * TAGS + tag] as number);
  for (const [at, row] of scores.entries()) {
    const most = allowed.reduce((so, tag) => Math.max(so, row[tag] as number), Number.NEGATIVE_INFINITY);
    for (const tag of allowed)
      if (at > 0 || !isInside(tag))
        raised.here[at * TAGS + tag] = Math.max(LEAST, Math.exp((row[tag] as number) - most));
  }
  return raised;
}

/** So that no chain is impossible because of one token. */
const LEAST = 1e-30;
const PUNCTUATION = /^[,.;:!?—–-]$/;

function textOf(tokens: readonly Token[]): { start: number; end: number } | undefined {
  const first = tokens.find(({ word }) => !PUNCTUATION.test(word));
  const last = tokens.findLast(({ word }) => !PUNCTUATION.test(word));
  return first === undefined || last === undefined ? undefined : { start: first.start, end: last.end };
}
