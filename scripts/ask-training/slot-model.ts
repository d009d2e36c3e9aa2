/**
 * Trains the tagger of parts: a linear-chain conditional random field, by stochastic gradients (Adagrad).
 *
 * @module
 */
import { ACTS, type KnownNames } from "../../packages/cambium/dist/ask/trained/acts.js";
import { type Lattice, type Sums, sumsOf } from "../../packages/cambium/dist/ask/trained/lattice.js";
import { hashOf } from "../../packages/cambium/dist/ask/trained/linear-model.js";
import { slotFeatures } from "../../packages/cambium/dist/ask/trained/slot-features.js";
import { latticeOf, type SlotWeights } from "../../packages/cambium/dist/ask/trained/slot-tagger.js";
import { isInside, mayFollow, OUTSIDE, TAGS } from "../../packages/cambium/dist/ask/trained/tags.js";
import { namesAmong, tokensOf } from "../../packages/cambium/dist/ask/trained/tokens.js";
import { commonFeatures, noWeights, packed, presentOf, telling, type Weights } from "./features.ts";
import { goldTags } from "./gold-tags.ts";
import { Random } from "./random.ts";
import type { Labelled } from "./sentences.ts";
import { NO_NAMES, withNames } from "./surroundings.ts";

interface Example {
  /** Of each token. */
  readonly hashes: readonly (readonly number[])[];
  readonly tags: readonly number[];
  readonly act: number;
}

/** The first time to find the features that tell most, the second time with these. */
const ROUNDS = [3, 7] as const;
const RATE = 0.1;
const DECAY = 1e-5;
/** A feature that fewer tokens have is left out. */
const LEAST = 4;
const MOST = 14_000;

export function trainSlots(sentences: readonly Labelled[]): SlotWeights {
  const examples = withNames(sentences, new Random(1))
    .flatMap(({ sentence, names }) => [exampleOf(sentence, names), exampleOf(sentence, NO_NAMES)])
    .filter(({ tags }) => tags.length > 0);
  const allowed = ACTS.map((_, act) => tagsOf(examples.filter((one) => one.act === act)));
  const common = commonFeatures(
    examples.flatMap(({ hashes }) => hashes),
    LEAST,
  );
  const all = fitted([...common.keys()], examples, allowed, ROUNDS[0]);
  const { weights, after } = fitted(telling(all.weights, common, MOST), examples, allowed, ROUNDS[1]);
  return {
    tokens: packed(weights, new Float64Array(TAGS)),
    after: [...after].map((score) => Math.round(score * 1_000) / 1_000),
    allowed,
  };
}

function exampleOf(sentence: Labelled, names: KnownNames): Example {
  const tokens = tokensOf(sentence.s);
  const features = slotFeatures(tokens, namesAmong(tokens, names), sentence.act);
  return {
    hashes: features.map((texts) => texts.map(hashOf)),
    tags: goldTags(sentence, tokens),
    act: ACTS.indexOf(sentence.act),
  };
}

/** What begins may go on. */
function tagsOf(examples: readonly Example[]): readonly number[] {
  const met = new Set(examples.flatMap(({ tags }) => tags));
  const whole = [...met].flatMap((tag) => (tag === OUTSIDE || isInside(tag) ? [tag] : [tag, tag + 1]));
  return [...new Set([OUTSIDE, ...whole])].toSorted((one, other) => one - other);
}

interface Fit {
  readonly weights: Weights;
  readonly after: Float64Array;
  readonly afterMoved: Float64Array;
}

function fitted(
  hashes: readonly number[],
  examples: readonly Example[],
  allowed: readonly (readonly number[])[],
  rounds: number,
): Fit {
  const fit: Fit = {
    weights: noWeights(hashes, TAGS),
    after: new Float64Array(TAGS * TAGS),
    afterMoved: new Float64Array(TAGS * TAGS).fill(1e-6),
  };
  const rows = examples.map((one) => one.hashes.map((own) => presentOf(fit.weights, own)));
  const random = new Random(1);
  const order = Uint32Array.from(examples.keys());
  for (let round = 0; round < rounds; round += 1) {
    random.shuffle(order);
    for (const at of order) {
      const example = examples[at] as Example;
      learn(fit, example, rows[at] as readonly Uint32Array[], allowed[example.act] ?? []);
    }
  }
  return fit;
}

function learn(
  fit: Fit,
  { tags, hashes }: Example,
  rows: readonly Uint32Array[],
  allowed: readonly number[],
): void {
  const factors = hashes.map(({ length }) => 1 / Math.sqrt(length));
  const lattice = latticeOf(
    rows.map((present, at) => scored(fit, present, factors[at] as number, allowed)),
    fit.after,
    allowed,
  );
  const sums = sumsOf(lattice);
  for (const [at, present] of rows.entries()) {
    tokenStep(
      fit.weights,
      present,
      factors[at] as number,
      (tag) =>
        (sums.forward[at * TAGS + tag] as number) * (sums.backward[at * TAGS + tag] as number) -
        (tags[at] === tag ? 1 : 0),
      allowed,
    );
    if (at > 0) afterStep(fit, lattice, sums, at, tags, allowed);
  }
}

function scored(
  { weights: { values } }: Fit,
  present: Uint32Array,
  factor: number,
  allowed: readonly number[],
): Float64Array {
  const scores = new Float64Array(TAGS);
  for (const row of present)
    for (const tag of allowed) scores[tag] = (scores[tag] as number) + (values[row + tag] as number) * factor;
  return scores;
}

function tokenStep(
  { values, moved }: Weights,
  present: Uint32Array,
  factor: number,
  offBy: (tag: number) => number,
  allowed: readonly number[],
): void {
  const off = allowed.map(offBy);
  for (const row of present)
    for (const [nth, tag] of allowed.entries()) {
      const slope = factor * (off[nth] as number) + DECAY * (values[row + tag] as number);
      const so = (moved[row + tag] as number) + slope * slope;
      moved[row + tag] = so;
      values[row + tag] = (values[row + tag] as number) - (RATE * slope) / Math.sqrt(so);
    }
}

function afterStep(
  { after, afterMoved }: Fit,
  lattice: Lattice,
  { forward, backward, scales }: Sums,
  at: number,
  tags: readonly number[],
  allowed: readonly number[],
): void {
  for (const before of allowed) {
    const led = (forward[(at - 1) * TAGS + before] as number) / (scales[at] as number);
    for (const tag of allowed) {
      if (!mayFollow(before, tag)) continue;
      const [here, there] = [before * TAGS + tag, at * TAGS + tag];
      const share =
        led * (lattice.after[here] as number) * (lattice.here[there] as number) * (backward[there] as number);
      const slope = share - (tags[at - 1] === before && tags[at] === tag ? 1 : 0);
      const so = (afterMoved[here] as number) + slope * slope;
      afterMoved[here] = so;
      after[here] = (after[here] as number) - (RATE * slope) / Math.sqrt(so);
    }
  }
}
