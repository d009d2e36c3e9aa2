/** What no reading of a sentence may do. */
import { describe, expect, test } from "vitest";
import { understandGuarded } from "../../src/ask/guards.js";

const around = {
  now: new Date(2026, 10, 20, 15, 30).getTime(),
  branches: ["main", "tea-plans"],
  checkpoints: ["pre-flood"],
  agents: ["cli", "claude-code"],
};
const read = (sentence: string) => understandGuarded(sentence, around);

describe("[AS98] a question mark after a bare order only shows what it would do", () => {
  test.each(["undo?", "forget about tea?", "delete the branch tea-plans?", "go back to yesterday?"])(
    "%s",
    async (sentence) => {
      const found = await read(sentence);
      expect(found.understood && found.isPreview !== true).toBe(false);
    },
  );

  test.each(["undo", "could you undo that?", "delete the branch tea-plans"])("not %s", async (sentence) => {
    expect(await read(sentence)).toMatchObject({ understood: true });
    expect(await read(sentence)).not.toHaveProperty("isPreview");
  });
});

test.each(["scrap tea for tonight", "drop tea for today", "drop the tea off at Leo's"])(
  "[AS98] a plan takes no memory away: %s",
  async (sentence) => {
    expect(await read(sentence)).toMatchObject({ understood: false });
  },
);

test("[AS98] a note about a day off may be hidden", async () => {
  expect(await read("drop the note about the day off")).toMatchObject({ understood: true });
});

test.each(["please never forget the budget", "please don't let me forget the budget"])(
  "[AS98] a name alone is nothing to remember: %s",
  async (sentence) => {
    expect(await read(sentence)).toMatchObject({ understood: false });
  },
);

test.each(["never forget that the budget is 400", "don't forget to water the plants"])(
  "[AS98] what is said of a name, or to be done, is remembered: %s",
  async (sentence) => {
    expect(await read(sentence)).toMatchObject({
      understood: true,
      request: { operation: "remember" },
    });
  },
);

test("[AS98] the branch main is never deleted", async () => {
  expect(await read("delete branch main")).toMatchObject({
    understood: false,
    why: expect.stringMatching(/main/),
  });
});

test("[AS98] what is not to be done is nothing to remember", async () => {
  const found = await read("let's not start over");
  const near = found.understood ? [] : (found.near ?? []);
  expect(near.map(({ operation }) => operation)).not.toContain("remember");
});

test.each([
  "it's false that the release day is Monday",
  "undo that? no",
  "delete the note about the budget? No!",
  "forget everything about tea. Better not",
  "maybe the budget is 1000 euro",
  "I think the release day is Monday now",
  "Ada doesn't like tea anymore, or does she?",
  "the release day is Monday now?",
  "the release day is never Monday",
  "the release day is Monday. Not!",
  "the release day is now Monday or Tuesday",
  "pretend the release day is Monday now",
  "merge tea-plans? no",
])("[AS98] “%s” writes and hides nothing", async (sentence) => {
  const found = await understandGuarded(sentence, { now: 0, branches: ["main"], checkpoints: [] });
  expect(found.understood && found.isPreview !== true && found.request.operation !== "recall").toBe(false);
});
