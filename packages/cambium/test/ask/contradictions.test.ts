/** Memories that say otherwise of the same, and which of them stays. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contradictionsAmong } from "../../src/ask/contradictions.js";
import { deskOfEachTest } from "./support/desk.js";

const groups = (...contents: readonly string[]) =>
  contradictionsAmong(contents.map((content) => ({ content }))).map((group) =>
    group.map(({ content }) => content),
  );

describe("[AS122] what is alike up to a value behind the verb", () => {
  test.each<readonly [string, string]>([
    [
      "The tyres on the hire bikes are pumped to 50 psi.",
      "The tyres on the hire bikes are pumped to 60 psi.",
    ],
    ["Ada has her cello lesson on Tuesdays at 4.15pm.", "Ada has her cello lesson on Thursdays at 4.15pm"],
    [
      "Inner tubes come from Vandermeer, minimum order £150.",
      "Inner tubes come from Vandermeer, minimum order £200.",
    ],
    [
      "The holiday in Brittany is from 8 to 22 August 2027.",
      "The holiday in Brittany is from 1 to 15 August 2027.",
    ],
    ["Admiral the cat gets two tins a day.", "Admiral the cat gets one tin a day."],
    ["Reeds are set with four parts beeswax to rosin.", "Reeds are set with three parts beeswax to rosin."],
  ])("%s / %s", (one, other) => {
    expect(groups(one, "Wren helps on Saturdays.", other)).toEqual([[one, other]]);
  });

  test.each<readonly [string, string]>([
    // Before the verb, a value says which.
    ["Invoice 12 is paid.", "Invoice 13 is paid."],
    ["On 3 May the boat was weighed at 82 kilos.", "On 9 May the boat was weighed at 80 kilos."],
    // Other words say other things.
    ["Hiring an adult bike costs £18 a day.", "Hiring a child's bike costs £10 a day."],
    ["The rent is £900 a month.", "The rent is £900 a month"],
    ["The trip cost £300 in 2024, and 5 came.", "The trip cost £400 in 2025, and 6 came."],
    ["Ada likes tea.", "Ada likes cake."],
  ])("not %s / %s", (one, other) => {
    expect(groups(one, other)).toEqual([]);
  });

  test("five of one form are a series", () => {
    const each = [340, 350, 360, 370, 380].map((seconds) => `The build takes ${seconds} seconds`);
    expect(groups(...each)).toEqual([]);
    expect(groups(...each.slice(1))).toEqual([each.slice(1)]);
  });

  test("a group is what has one frame and more than one value, whatever the order", () => {
    const subject = fc.constantFrom("The gate code", "The alarm code", "The bus to Leeds", "Bosun's weight");
    const saying = fc.record({ subject, value: fc.integer({ min: 13, max: 17 }) });
    fc.assert(
      fc.property(
        fc.uniqueArray(saying, { maxLength: 12, selector: (one) => JSON.stringify(one) }),
        (all) => {
          const found = groups(...all.map((one) => `${one.subject} of the yard is ${one.value}`));
          const wanted = Object.values(Object.groupBy(all, (one) => one.subject))
            .map((ones = []) => ones.map((one) => `${one.subject} of the yard is ${one.value}`))
            .filter((ones) => ones.length >= 2 && ones.length <= 4);
          expect(found.map((group) => group.toSorted()).toSorted()).toEqual(
            wanted.map((group) => group.toSorted()).toSorted(),
          );
        },
      ),
    );
  });
});

describe("[AS122] which of them stays", () => {
  const { ask, contents, seed } = deskOfEachTest();
  const FIFTY = "The tyres of the hire bikes are pumped to 50 psi";
  const SIXTY = "The tyres of the hire bikes are pumped to 60 psi";

  test("they are listed when asked for, and named beside a search", async () => {
    await seed(FIFTY, "Wren helps on Saturdays", SIXTY);
    const listed = (await ask("do any of my notes contradict each other?")).stdout;
    expect(listed).toMatch(/no open conflicts[\s\S]*say otherwise of the same/);
    expect(listed).toContain(FIFTY);
    expect(listed).toContain(SIXTY);
    expect((await ask("what pressure do the tyres of the hire bikes have?")).stdout).toContain(
      "say otherwise of the same",
    );
  });

  test.each([
    "the hire bike tyres are at 60 psi, the 50 one is wrong",
    "hire bike tyres are 60 psi, scrap the other figure",
    "the hire bike tyres should be at 60 psi, not 50",
    "actually, the tyres of the hire bikes are pumped to 60 psi",
  ])("%s", async (sentence) => {
    await seed(FIFTY, SIXTY);
    const shown = await ask([sentence, "--preview"]);
    expect(shown.stdout).toMatch(/Would forget what says otherwise[\s\S]*50 psi[\s\S]*What stays: .*60 psi/);
    await ask([sentence], "y");
    expect(await contents()).toEqual([SIXTY]);
  });

  test("where nobody answers, both stay; where one alone speaks of it, that one is corrected", async () => {
    await seed(FIFTY, SIXTY);
    await ask(["the hire bike tyres are at 60 psi, the 50 one is wrong", "--yes"]);
    expect(await contents()).toEqual([FIFTY, SIXTY]);
    await ask(["forget the tyres of the hire bikes at 60 psi"], "y");
    const told = await ask("the hire bike tyres are at 65 psi, the 50 one is wrong", "y");
    expect(told.stdout + told.stderr).toMatch(/65/);
  });
});
