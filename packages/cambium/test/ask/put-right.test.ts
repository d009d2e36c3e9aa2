/** What was wrong, named in the same breath as what is right; and what is asked of the memory itself. */
import { describe, expect, test } from "vitest";
import { understandGuarded } from "../../src/ask/guards.js";
import { deskOfEachTest } from "./support/desk.js";

const around = {
  now: new Date(2026, 10, 20, 15, 30).getTime(),
  branches: ["main", "tea-plans"],
  checkpoints: ["pre-flood"],
  devices: ["laptop"],
};
const read = (sentence: string) => understandGuarded(sentence, around);

describe("[AS117] what is right takes the place of what is named as wrong", () => {
  const { ask, contents, seed } = deskOfEachTest();

  test.each<[string, string, string]>([
    [
      "The spare key hangs in the grey cupboard",
      "that's wrong, the spare key hangs in the tall wardrobe not the grey cupboard",
      "The spare key hangs in the tall wardrobe",
    ],
    [
      "The passport is in the top drawer",
      "the passport isn't in the top drawer any more, I moved it to the strongbox",
      "The passport is in the strongbox",
    ],
    [
      "The ladder is behind the garage",
      "the ladder is no longer behind the garage, we put it in the attic",
      "The ladder is in the attic",
    ],
    ["The locker number is 318", "the locker number is 381 not 318", "The locker number is 381"],
  ])("of “%s”: %s", async (before, sentence, after) => {
    await seed(before, "The rent is due on Mondays");
    const told = await ask([sentence, "--yes"]);
    expect(told).toMatchObject({ code: 0 });
    expect(await contents()).toEqual([after, "The rent is due on Mondays"].toSorted());
  });

  test("what is said already is not written with what it is not", async () => {
    await seed("The locker number is 381");
    expect((await ask("the locker number is 381 not 318")).stdout).toContain("says already");
    expect(await contents()).toEqual(["The locker number is 381"]);
  });

  test.each(["the car is certainly not a Volvo", "the tram is still not on time"])(
    "a plain no is kept: %s",
    async (sentence) => {
      expect(await read(sentence)).not.toMatchObject({ request: { insteadOf: expect.anything() } });
    },
  );
});

describe("[AS118] what is asked of the memory itself is not searched for", () => {
  test.each<[string, string]>([
    ["did I ever ask you to forget something?", "forgotten"],
    ["have you forgotten anything?", "forgotten"],
    ["what can you actually do for me?", "help"],
    ["which devices have a copy of my memories?", "status"],
    ["on which of my devices is everything stored?", "status"],
    ["what changed between now and the checkpoint pre-flood", "changes"],
  ])("%s", async (sentence, operation) => {
    expect(await read(sentence)).toMatchObject({ understood: true, request: { operation } });
  });

  test("the earlier of two states comes first", async () => {
    const found = await read("what changed between now and yesterday");
    expect(found).toMatchObject({ request: { period: { from: expect.stringMatching(/^2026-11-1[89]/) } } });
    expect(found).not.toHaveProperty("request.period.to");
  });

  test.each(["oh forget it, never mind", "never mind", "nvm"])(
    "nothing is asked for: %s",
    async (sentence) => {
      expect(await read(sentence)).toMatchObject({ understood: false, isFinal: true });
    },
  );

  const { ask, contents, seed } = deskOfEachTest();
  test("what should not have been forgotten comes back", async () => {
    await seed("The locksmith is called Otto", "The rent is due on Mondays");
    expect(await ask("forget the locksmith", "y")).toMatchObject({ code: 0 });
    expect(await contents()).toEqual(["The rent is due on Mondays"]);
    await ask("I never said to forget the locksmith, can I have it back?", "y");
    expect(await contents()).toContain("The locksmith is called Otto");
  });
});
