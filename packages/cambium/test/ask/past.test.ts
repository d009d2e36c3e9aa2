/** Questions about what was so: the state that they name answers, or nothing does. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { understand } from "../../src/ask/understand.js";

const NOW = new Date(2026, 10, 18, 15, 30).getTime(); // a Wednesday
const AROUND = { now: NOW, branches: ["main"], checkpoints: ["before-cleanup"] };

async function asked(sentence: string) {
  const found = await understand(sentence, AROUND);
  if (!found.understood) return { why: found.why };
  const { request } = found;
  const at = "at" in request && request.at !== undefined ? { at: request.at.ref } : {};
  return { is: request.operation, ...at, ...("topic" in request ? { topic: request.topic } : {}) };
}

describe("what was so", () => {
  test.each<[string, object]>([
    ["what was the budget yesterday?", { is: "recall", at: "2026-11-17" }],
    [
      "what was on my list two weeks ago",
      { is: "recall", at: new Date(NOW - 14 * 86_400_000).toISOString() },
    ],
    ["what was the budget 5 hours ago?", { is: "recall", at: new Date(NOW - 5 * 3_600_000).toISOString() }],
    ["how did the wifi password read last week", { is: "recall", at: "2026-11-15" }],
    ["in January, where did Ada live?", { is: "recall", at: "2026-01-31" }],
    ["tell me what the rent was in March", { is: "recall", at: "2026-03-31" }],
    ["what was the plan before checkpoint before-cleanup", { is: "recall", at: "checkpoint:before-cleanup" }],
    ["what was the budget before I corrected it?", { is: "before-correction", topic: "the budget" }],
    ["who was the dentist before the last change?", { is: "before-correction", topic: "the dentist" }],
    ["what was the budget before?", { is: "before-correction", topic: "the budget" }],
    ["what did the budget use to be?", { is: "before-correction", topic: "the budget" }],
    ["what was the previous release day?", { is: "before-correction", topic: "release day" }],
    ["what was the budget originally?", { is: "history", topic: "the budget" }],
    // What happened, and what is so.
    ["what did we eat yesterday?", { is: "recall" }],
    ["when was the meeting last week?", { is: "recall" }],
    ["what was the budget?", { is: "recall" }],
    ["what is the budget?", { is: "recall" }],
  ])("[AS48] %s", async (sentence, expected) => {
    expect(await asked(sentence)).toEqual(expected);
  });

  test("[AS48] with a time that cannot be read, it is refused, never answered from the present", async () => {
    const times = ["before the war", "prior to the move", "back then", "in those days", "umpteen moons ago"];
    const whats = [
      "what was the budget",
      "where did Ada live",
      "how much was the rent",
      "who was the dentist",
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...whats), fc.constantFrom(...times), async (what, time) => {
        expect(await asked(`${what} ${time}?`)).toEqual({ why: expect.stringContaining("names no time") });
      }),
      { numRuns: 20, seed: 48 },
    );
  });
});
