/**
 * Reads a sentence by weights that were trained on labelled sentences: what it asks for, how likely, and which parts
 * it names. It runs nothing and knows no memory: what comes of its answer is for the caller to decide. English only.
 *
 * @module
 */
import { trainedModel } from "../trained-model.js";
import { actFeatures } from "./act-features.js";
import { ACTS, type Act, type KnownNames } from "./acts.js";
import { hashOf, scoresOf, shares } from "./linear-model.js";
import type { TrainedModel } from "./model-bytes.js";
import { supportOf } from "./needs.js";
import { type Cue, cueFor } from "./order-cue.js";
import { slotsIn, type TrainedSlot } from "./slot-tagger.js";
import { namesAmong, tokensOf } from "./tokens.js";

export interface TrainedReading {
  /** The most likely first; their probabilities add up to 1. */
  readonly acts: readonly { readonly act: Act; readonly probability: number }[];
  /** Those of the most likely act, in their order. */
  readonly slots: readonly TrainedSlot[];
  /** What outside of its parts speaks for the most likely act. */
  readonly cue: Cue;
}

/** @returns the same for the same sentence and names */
export const readTrained = (sentence: string, names: KnownNames = {}): TrainedReading =>
  readWith(trainedModel(), sentence, names);

/** By other weights than those of this package. */
export function readWith(model: TrainedModel, sentence: string, names: KnownNames): TrainedReading {
  const tokens = tokensOf(sentence);
  const features = actFeatures(tokens, namesAmong(tokens, names));
  const scores = scoresOf(model.acts, features.map(hashOf), 1 / Math.sqrt(features.length));
  const likely = [...shares(scores, model.temperature).entries()].map(([at, share]): Likely => {
    const act = ACTS[at] as Act;
    if (share < UNLIKELY) return { act, share, slots: undefined };
    const slots = slotsIn(model.slots, sentence, act, names);
    return { act, share: share * supportOf(act, slots), slots };
  });
  const total = likely.reduce((sum, { share }) => sum + share, 0);
  const acts = likely
    .toSorted((one, other) => other.share - one.share)
    .map(({ act, share }) => ({ act, probability: share / total }));
  const first = likely.find(({ act }) => act === acts[0]?.act);
  const top = first?.act ?? "none";
  const slots = first?.slots ?? slotsIn(model.slots, sentence, top, names);
  const about = slots.filter(({ name }) => name !== "left");
  return { acts, slots, cue: cueFor(model, sentence, TAKING.includes(top) ? TAKING : [top], about) };
}

/** These are told by the same words. */
const TAKING: readonly Act[] = ["forget", "undo", "take-back", "rollback", "delete-branch"];

interface Likely {
  readonly act: Act;
  readonly share: number;
  readonly slots: readonly TrainedSlot[] | undefined;
}

/** Whether its parts are there is not looked at. */
const UNLIKELY = 0.02;

/** The parts of the sentence, if this is what it asks for. */
export const slotsFor = (sentence: string, act: Act, names: KnownNames = {}): readonly TrainedSlot[] =>
  slotsIn(trainedModel().slots, sentence, act, names);
