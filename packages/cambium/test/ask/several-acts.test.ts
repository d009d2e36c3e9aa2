/** Requests that are refused with what leads on, or answered with the command that does it. */
import { describe, expect, test } from "vitest";
import type { NotUnderstood, Surroundings } from "../../src/ask/intent.js";
import { understand } from "../../src/ask/understand.js";

const NOW = new Date(2026, 10, 18, 15, 30).getTime(); // a Wednesday
const AROUND: Surroundings = { now: NOW, branches: ["main", "kitchen"], checkpoints: [] };

describe("two requests", () => {
  test.each([
    [
      "make a branch called bath and remember there that the sofa is green",
      "First: cambium ask 'make a branch called bath'. Then: cambium ask 'remember on branch bath that the sofa is green'",
    ],
    [
      "save a checkpoint called x and then forget everything about Tom",
      "Then: cambium ask 'forget everything about Tom' --preview",
    ],
    [
      "merge kitchen into main, and delete the branch kitchen",
      "Then: cambium ask 'delete the branch kitchen' --preview",
    ],
    ["undo that and remember that tea is at four", "Then: cambium ask 'remember that tea is at four'"],
  ])("[AS50] %s: each is named, and none is done", async (said, steps) => {
    const found = (await understand(said, AROUND)) as NotUnderstood;
    expect(found).toMatchObject({ understood: false, isFinal: true, why: expect.stringContaining(steps) });
  });

  test.each([
    ["start fresh but keep a backup", "fresh"],
    ["remember that we save the file and merge it", "remember"],
    ["forget what I said about search and rescue", "forget"],
    ["compare main and kitchen", "difference"],
    ["what do you know about make and cmake", "recall"],
  ])("[AS50] %s is one", async (said, operation) => {
    expect(await understand(said, AROUND)).toMatchObject({ request: { operation } });
  });
});

test.each<[string, object]>([
  ["redo", { operation: "undo", last: 1, isRedo: true }],
  ["undo the undo", { operation: "undo", last: 1, isRedo: true }],
  ["combine the two notes about Ada", { operation: "combine", topic: "Ada", count: 2 }],
  ["merge my notes about Tom into one", { operation: "combine", topic: "Tom" }],
  ["are there any duplicates?", { operation: "combine" }],
  [
    "put the note about Leo into category people",
    { operation: "file", topic: "Leo", fields: { category: "people" } },
  ],
  [
    "tag the note about tea with green and hot",
    { operation: "file", topic: "tea", fields: { tags: ["green", "hot"] } },
  ],
  [
    "mark the passport note as very important",
    { operation: "file", topic: "passport", fields: { importance: 0.9 } },
  ],
  ["merge my kitchen notes back in", { operation: "merge" }],
  ["give me all notes in category money", { operation: "list", category: "money" }],
  ["show me everything tagged garden", { operation: "list", tag: "garden" }],
  ["show me what was forgotten this week", { operation: "forgotten" }],
  ["on branch kitchen: the worktop is actually oak", { operation: "correct", content: "the worktop is oak" }],
  ["correction - the code is 4712", { operation: "correct", content: "the code is 4712" }],
  ["make me a backup", { operation: "export" }],
])("[AS51] %s", async (said, request) => {
  expect(await understand(said, AROUND)).toMatchObject({ understood: true, request });
});

test("[AS51] what a merge would change is looked at, and never merged", async () => {
  expect(await understand("what would change if I merge kitchen?", AROUND)).toMatchObject({
    understood: true,
    isPreview: true,
    request: { operation: "merge", from: { matches: ["kitchen"] } },
  });
});

test.each(["what will happen tomorrow?", "what is going to happen next week"])(
  "[AS51] %s: what is to come is not answered",
  async (said) => {
    expect(await understand(said, AROUND)).toMatchObject({
      understood: false,
      why: expect.stringContaining("not what will be"),
      near: [{ operation: "recall" }],
    });
  },
);
