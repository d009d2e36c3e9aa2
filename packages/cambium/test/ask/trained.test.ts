/** The trained reader: what its weights were trained on, and what it makes of sentences. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { digestOfSentences, labelled } from "../../../../scripts/ask-training/sentences.js";
import type { Act } from "../../src/ask/trained/acts.js";
import { modelBytes } from "../../src/ask/trained/model-bytes.js";
import { supportOf } from "../../src/ask/trained/needs.js";
import { readTrained, readWith, slotsFor } from "../../src/ask/trained/read-trained.js";
import { trainedModel } from "../../src/ask/trained-model.js";

const FILE = new URL("../../models/ask.bin", import.meta.url);

test("[AS87] the weights were trained on the sentences that are here", () => {
  expect(trainedModel().sentences, "train again: node_modules/.bin/node scripts/train-ask.ts").toBe(
    digestOfSentences(),
  );
});

test("[AS87] the weights are written as they are read", () => {
  expect(Buffer.from(modelBytes(trainedModel())).equals(readFileSync(FILE))).toBe(true);
});

const names = {
  branches: ["main", "attic-plans"],
  checkpoints: ["pre-flood"],
  agents: ["claude-code"],
  devices: ["studio mac"],
};

describe("[AS88] requests in other words than those of the training", () => {
  test.each<readonly [Act, string]>([
    ["recall", "which bolt size fits the garden swing"],
    ["recall", "how much did the piano tuner charge"],
    ["remember", "remember that the greenhouse key hangs behind the rake"],
    ["correct", "the piano tuner is called Yusuf, not Yasin"],
    ["forget", "forget everything about the garden swing"],
    ["forget", "delete the note about the rake"],
    ["restore", "bring back the note about the rake"],
    ["undo", "undo the last change"],
    ["history", "how has the price of the piano tuner changed over time"],
    ["blame", "who wrote that the rake is broken"],
    ["changes", "what changed since yesterday"],
    ["merge", "merge attic-plans into main"],
    ["branch", "make a new branch called cellar-plans"],
    ["use-branch", "switch to attic-plans"],
    ["delete-branch", "delete the branch attic-plans"],
    ["difference", "what is the difference between attic-plans and main"],
    ["checkpoint", "save a checkpoint called before-paint"],
    ["rollback", "roll everything back to pre-flood"],
    ["take-back", "undo everything claude-code wrote yesterday"],
    ["conflicts", "are there any conflicts"],
    ["status", "is the studio mac in sync"],
    ["none", "book a table for two at eight"],
  ])("%s: %s", (act, sentence) => {
    const { acts } = readTrained(sentence, names);
    expect(acts[0]?.act).toBe(act);
    expect(acts[0]?.probability).toBeGreaterThan(0.5);
  });
});

test("[AS88] other weights give other probabilities", () => {
  const model = trainedModel();
  const [first] = readWith({ ...model, temperature: 2 * model.temperature }, "undo the last change", {}).acts;
  expect(first?.act).toBe("undo");
  expect(first?.probability).toBeLessThan(readTrained("undo the last change").acts[0]?.probability ?? 0);
});

test("[AS88] an act whose part is nowhere in the sentence is less likely", () => {
  const found = [{ name: "period", text: "last week", start: 19, end: 28, sureness: 0.81 }] as const;
  expect(supportOf("at-past", found)).toBeCloseTo(0.9);
  expect(supportOf("at-past", [])).toBeLessThan(0.3);
  expect(supportOf("undo", [])).toBe(1);
});

test("[AS88] every act has a probability, the most likely first, and always the same one", () => {
  for (const sentence of [
    "",
    "?",
    "forget 3 and 4",
    "é’s",
    ...labelled()
      .slice(0, 20)
      .map(({ s }) => s),
  ]) {
    const { acts } = readTrained(sentence, names);
    expect(new Set(acts.map(({ act }) => act)).size).toBe(29);
    expect(acts.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1);
    expect(acts).toEqual(acts.toSorted((one, other) => other.probability - one.probability));
    expect(readTrained(sentence, names).acts).toEqual(acts);
  }
});

const found = (sentence: string, act?: Act): Readonly<Record<string, string>> => {
  const slots = act === undefined ? readTrained(sentence, names).slots : slotsFor(sentence, act, names);
  return Object.fromEntries(slots.map(({ name, text }) => [name, text]));
};

describe("[AS89] the parts of a sentence", () => {
  test.each<readonly [string, Readonly<Record<string, string>>]>([
    ["forget everything about the garden swing", { topic: "garden swing" }],
    ["who wrote that the rake is broken", { topic: "rake is broken" }],
    ["The piano tuner is called Yusuf, not Yasin.", { topic: "piano tuner", new: "Yusuf", old: "Yasin" }],
    ["merge attic-plans into main", { branch: "attic-plans", into: "main" }],
    ["make a new branch called cellar-plans", { name: "cellar-plans" }],
    ["roll everything back to pre-flood", { state: "pre-flood" }],
    ["undo everything claude-code wrote yesterday", { agent: "claude-code", period: "yesterday" }],
    ["remember that the key hangs behind the rake", { content: "the key hangs behind the rake" }],
    ["is the studio mac in sync", { device: "studio mac" }],
    ["are there any conflicts", {}],
  ])("%s", (sentence, parts) => {
    expect(found(sentence)).toEqual(parts);
  });

  test("are those of the act that is named", () => {
    const said = "the rake is broken";
    expect(found(said, "remember")).toEqual({ content: "the rake is broken" });
    expect(found(said, "conflicts")).not.toHaveProperty("content");
  });

  test("are one topic and one new value at most", () => {
    for (const { s, act } of labelled().filter((one, at) => one.act === "correct" && at % 4 === 0)) {
      const slots = slotsFor(s, act, names).map(({ name }) => name);
      const once = slots.filter((name) => name === "topic" || name === "new" || name === "old");
      expect(once, s).toEqual([...new Set(once)]);
    }
  });

  test("are pieces of it, in their order, each more or less sure, and always the same", () => {
    for (const { s } of labelled().filter((_, at) => at % 50 === 0)) {
      const { slots } = readTrained(s, names);
      for (const [at, { text, start, end, sureness }] of slots.entries()) {
        expect(s.slice(start, end)).toBe(text);
        expect(text.trim()).toBe(text);
        expect(start).toBeGreaterThanOrEqual(slots[at - 1]?.end ?? 0);
        expect(sureness).toBeGreaterThan(0);
        expect(sureness).toBeLessThan(1 + 1e-9);
      }
      expect(readTrained(s, names).slots).toEqual(slots);
    }
  });
});
