/** Slips of the keyboard, times before what is to be remembered, and two topics at once. */
import { describe, expect, test } from "vitest";
import { understand } from "../../src/ask/understand.js";
import { AROUND } from "./phrasings.js";
import { DAY, deskOfEachTest } from "./support/desk.js";

const dayFrom = (days: number): string =>
  new Date(new Date(AROUND.now).setHours(0, 0, 0, 0) + days * DAY).toISOString();

describe("what is understood", () => {
  test.each([
    ["remember tomorrow that I call Tom", { content: "I call Tom", fields: { validFrom: dayFrom(1) } }],
    [
      "remember yesterday that I called Tom",
      { content: "I called Tom", fields: { occurredAt: dayFrom(-1) } },
    ],
    ["remember that tomorrow I call Tom", { content: "tomorrow I call Tom" }],
    ["remember Anna said that tea is hot", { content: "Anna said that tea is hot" }],
    ["remember the day that we met", { content: "the day that we met" }],
  ])("[AS52] %s", async (sentence, request) => {
    const found = await understand(sentence, AROUND);
    expect(found.understood && found.request).toEqual({ operation: "remember", ...request });
  });

  test("[AS52] a day that may be two is refused, with both ways to say it", async () => {
    const found = await understand("remember on Friday that I call Tom", AROUND);
    expect(found).toMatchObject({ understood: false, why: expect.stringContaining('which day "Friday"') });
    for (const { example } of found.understood ? [] : (found.near ?? []))
      expect(await understand(example, AROUND)).toMatchObject({ request: { operation: "remember" } });
  });

  test.each([
    ["remeber that Ada likes  tea", { operation: "remember", content: "Ada likes  tea" }],
    ["shwo my memories", { operation: "list" }],
    ["waht do you know about tea", { operation: "recall", query: "tea" }],
    ["No the rent is 900", { operation: "correct", content: "the rent is 900" }],
    [
      "New note in category pets: Rex is ill",
      { operation: "remember", content: "Rex is ill", fields: { category: "pets" } },
    ],
  ])("[AS53] [AS54] %s", async (sentence, request) => {
    expect(await understand(sentence, AROUND)).toMatchObject({ understood: true, request });
  });

  test.each([
    ["udno", ["cambium ask undo --preview"]],
    ["forgett the tiles", ["cambium ask 'forget the tiles' --preview"]],
    ["lost the keys", undefined],
    ["removed the fence", undefined],
  ])("[AS53] %s is not done", async (sentence, commands) => {
    const found = await understand(sentence, AROUND);
    expect([found.understood, "commands" in found ? found.commands : undefined]).toEqual([false, commands]);
  });

  test("[AS54] two topics are not searched for as one", async () => {
    const found = await understand("forget tea and coffee", AROUND);
    expect(found).toMatchObject({ understood: false, isFinal: true });
    for (const said of ["'forget tea'", "'forget coffee'", "'forget \"tea and coffee\"'"])
      expect("why" in found && found.why).toContain(`cambium ask ${said} --preview`);
  });

  test("[AS55] this morning, asked before noon, is a day and no moment to come", async () => {
    const now = new Date(AROUND.now).setHours(9, 0, 0, 0);
    const found = await understand("what was the rent this morning?", { ...AROUND, now });
    expect(found).toMatchObject({ request: { at: { ref: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) } } });
  });
});

describe("asked", () => {
  const { ask, contents } = deskOfEachTest();

  test("[AS52] [AS56] the reply says the date, and a secret is refused unless it is allowed", async () => {
    expect((await ask(["remember yesterday that I called Tom", "--yes"])).stdout).toMatch(
      /, happened \w{3} \d/,
    );
    const said = `remember that the token is ghp_${"aB3xK9mPq2LzW7nRt4VcaB3xK9mPq2LzW7nR"}`;
    const refused = await ask([said, "--yes"]);
    expect([refused.code, refused.stdout]).toEqual([5, ""]);
    expect(refused.stderr).toMatch(/GitHub token[\s\S]*--allow-secret/);
    expect(await contents()).toEqual(["I called Tom"]);
    expect((await ask([said, "--yes", "--allow-secret"])).code).toBe(0);
  });
});
