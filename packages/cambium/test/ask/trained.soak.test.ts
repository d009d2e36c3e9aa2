/** How well the trained reader reads people whose sentences it was not trained on; trains for a minute. */
import { expect, test } from "vitest";
import { trainActs } from "../../../../scripts/ask-training/act-model.js";
import { readBy } from "../../../../scripts/ask-training/figures.js";
import { heldOut, labelled } from "../../../../scripts/ask-training/sentences.js";
import { trainSlots } from "../../../../scripts/ask-training/slot-model.js";
import { trainedModel } from "../../src/ask/trained-model.js";

test("[AS88] of sentences of other people, nine of ten acts are right, and nearly all that it is sure of", () => {
  const { others, held } = heldOut(labelled(), 4, 1);
  const weights = { acts: trainActs(others), slots: trainSlots(others) };
  const told = readBy({ ...trainedModel(), ...weights }, held).map(({ sentence, reading }) => {
    const { act, probability } = reading.acts[0] ?? { act: "none", probability: 0 };
    return { isRight: act === sentence.act, probability };
  });
  const right = (least: number): number => {
    const sure = told.filter(({ probability }) => probability >= least);
    return sure.filter(({ isRight }) => isRight).length / sure.length;
  };
  expect(right(0)).toBeGreaterThan(0.87);
  expect(right(0.7)).toBeGreaterThan(0.93);
  expect(right(0.9)).toBeGreaterThan(0.96);
}, 900_000);
