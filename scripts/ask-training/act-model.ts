/**
 * Trains the classifier of acts, and makes its probabilities mean what they say.
 *
 * @module
 */
import { actFeatures } from "../../packages/cambium/dist/ask/trained/act-features.js";
import { ACTS, type KnownNames } from "../../packages/cambium/dist/ask/trained/acts.js";
import {
  hashOf,
  type LinearWeights,
  scoresOf,
} from "../../packages/cambium/dist/ask/trained/linear-model.js";
import { namesAmong, tokensOf } from "../../packages/cambium/dist/ask/trained/tokens.js";
import { Random } from "./random.ts";
import type { Labelled } from "./sentences.ts";
import { type Example, trainSoftmax } from "./softmax.ts";
import { NO_NAMES, withNames } from "./surroundings.ts";

function actExample(sentence: Labelled, names: KnownNames): Example {
  const tokens = tokensOf(sentence.s);
  const hashes = actFeatures(tokens, namesAmong(tokens, names)).map(hashOf);
  return { hashes, label: ACTS.indexOf(sentence.act) };
}

/** Each sentence twice: where its names are known, beside others, and where none are. */
export function trainActs(sentences: readonly Labelled[]): LinearWeights {
  const examples = withNames(sentences, new Random(1)).flatMap(({ sentence, names }) => [
    actExample(sentence, names),
    actExample(sentence, NO_NAMES),
  ]);
  return trainSoftmax(examples, ACTS.length);
}

const scoresFor = (model: LinearWeights, { hashes }: Example): Float64Array =>
  scoresOf(model, hashes, 1 / Math.sqrt(hashes.length));

/** The scores of sentences by a model that was not trained on them, and the act that they have. */
export function judgedBy(
  model: LinearWeights,
  sentences: readonly Labelled[],
): readonly { readonly scores: Float64Array; readonly label: number }[] {
  return withNames(sentences, new Random(2)).map(({ sentence, names }) => {
    const example = actExample(sentence, names);
    return { scores: scoresFor(model, example), label: example.label };
  });
}
