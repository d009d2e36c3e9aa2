/** What is only stated, what stands around a request, and what is excepted from it. */
import { describe, expect, test } from "vitest";
import { otherwiseIn } from "../../src/ask/contradiction.js";
import type { Surroundings } from "../../src/ask/intent.js";
import { understand } from "../../src/ask/understand.js";
import { deskOfEachTest } from "./support/desk.js";

const AROUND: Surroundings = {
  now: new Date(2026, 10, 18, 15, 30).getTime(), // a Wednesday
  branches: ["main", "server-move", "autumn-sale"],
  checkpoints: ["before-cleanup"],
  agents: ["cli", "claude-code", "cursor"],
  devices: ["laptop"],
  categories: ["infra", "customers"],
  tags: ["draft"],
};
const read = async (said: string): Promise<object | string> => {
  const found = await understand(said, AROUND);
  if (!found.understood) return "refused";
  const { request, leftOut, isPreview, branch } = found;
  return { ...request, leftOut, isPreview, on: branch?.said };
};

describe("a statement", () => {
  test.each([
    "the plumber comes on Friday",
    "The card reader only works with the hotspot",
    "swap with Dana is confirmed",
    "new customer: Hotel Astoria, wants 50 candles",
    "Jonas can't work on Dec 19, and his sister will fill in for him",
    "My sister's flat has no lift. She is on the fourth floor.",
    "I'm allergic to penicillin",
    "lavender oil is out of stock until January",
    "Sofia prefers calls over e-mail",
  ])("[AS76] is something to remember, word for word: %s", async (said) => {
    expect(await read(said)).toMatchObject({ operation: "remember", content: said, isStated: true });
  });

  test.each([
    ...["restart the nginx on web-03", "text Jonas that the shop is closed", "run the tests"],
    ...[
      "that's all for today, thanks",
      "I love you too",
      "ok I'm back",
      "you are great",
      "I'd rather not say",
    ],
    ...[
      "Dana is ill, cancel the meeting",
      "the lights are on, turn them off",
      "frobnicate the server that is down",
    ],
    ...["we are done with the oven", "the recipe is no longer needed", "the old note can go"],
    ...["is the shop closed", "if it rains, we stay inside", "the kids want to delete the game"],
  ])("[AS76] is not: %s", async (said) => {
    expect(await read(said)).not.toMatchObject({ operation: "remember" });
  });

  test.each([
    [
      "The rent is 800 euro, due on the 3rd.",
      "the rent is 900 euro",
      "The rent is 900 euro, due on the 3rd.",
    ],
    ["The plumber comes on Monday at 8.", "The plumber comes on Friday", "The plumber comes on Friday at 8."],
    ["Ada likes tea", "Ada likes cake", undefined],
    ["The card reader at the stall is blue", "The card reader at the stall is slow", undefined],
    ["The rent is 800 euro", "the rent of the stall is 40 euro", undefined],
  ])("[AS76] %s, corrected by %s", (memory, statement, text) => {
    expect(otherwiseIn(memory, statement)).toBe(text);
  });
});

describe("around a request", () => {
  test.each<[string, object]>([
    [
      "Oh dear, I didn't mean to do that. Please undo it.",
      { operation: "undo", last: 1, leftOut: ["I didn't mean to do that"] },
    ],
    [
      "So what do we know about Hotel Astoria? I've got a call with them in ten minutes.",
      { operation: "recall", query: "Hotel Astoria", leftOut: ["I've got a call with them in ten minutes"] },
    ],
    [
      "the bike is back, you can delete that note",
      { operation: "forget", topic: "the bike", leftOut: ["the bike is back"] },
    ],
    [
      "ok autumn sale is final, merge it into main",
      { operation: "merge", from: { matches: ["autumn-sale"] } },
    ],
    [
      "throw away server-move, I won't need that branch any more",
      { operation: "delete-branch", branch: { matches: ["server-move"] } },
    ],
    ["discard server-move, we're not doing it", { operation: "delete-branch" }],
    ["ugh, that was the wrong note. undo please", { operation: "undo", last: 1 }],
    ["Hm, can't find it. Where is the spare key?", { operation: "recall" }],
    ["remove the swimming lessons, they stopped", { operation: "forget", topic: "swimming lessons" }],
    [
      "The van is due for inspection in March. Can you make a note of it?",
      { operation: "remember", content: "The van is due for inspection in March." },
    ],
  ])("[AS77] a reason is left out, and said: %s", async (said, request) => {
    expect(await read(said)).toMatchObject(request);
  });

  test.each([
    ...[
      "forget tea. I only drink coffee",
      "forget tea, it isn't the green one",
      "forget that. Wait, I need it",
    ],
    ...["forget tea, we keep the green one", "forget tea. I want the coffee gone too"],
    ...["undo that, the milk is gone", "delete it. The rent is 900."],
    ...["what do you know about tea? The door is blue", "delete the notes about tea, unless they are new"],
    ...["Ada no longer sings, forget the choir"],
    ...["if we are done, delete the branch server-move", "I would never delete the branch server-move"],
  ])("[AS77] what may narrow it, or name something else, is no reason: %s", async (said) => {
    expect(await read(said)).toBe("refused");
  });
});

describe("an exception", () => {
  test.each<[string, object]>([
    ["forget all the infra notes except the MLflow one", { category: "infra", except: ["MLflow"] }],
    [
      "clear out all the customer notes except Mrs Petersen's",
      { category: "customers", except: ["Mrs Petersen"] },
    ],
    ["forget everything about travel apart from the holidays", { topic: "travel", except: ["holidays"] }],
    ["delete all notes tagged draft but not the one with the poem", { tag: "draft", except: ["poem"] }],
    ["forget all notes about tea but keep the green ones", { topic: "tea", except: ["green"] }],
  ])("[AS78] says what stays: %s", async (said, request) => {
    expect(await read(said)).toMatchObject({ operation: "forget", all: true, ...request });
  });

  test.each<[string, object]>([
    ["merge server-move, everything but the font", { except: ["font"] }],
    ["merge server-move into main but leave out the MLflow move", { except: ["MLflow move"] }],
    ["merge server-move except the prices and the logo", { except: ["prices", "logo"] }],
  ])("[AS78] says what is left out of a merge: %s", async (said, only) => {
    expect(await read(said)).toMatchObject({ operation: "merge", only });
  });

  test.each([
    ...["merge server-move but not on Fridays", "merge server-move except what cursor wrote"],
    ...["forget everything except the budget", "forget tea except the green one"],
    ...["forget everything about tea except today's", "forget everything about tea except cursor's"],
    ...["forget everything about tea except on Fridays", "forget all notes about tea but not the last one"],
    ...[
      "forget everything about tea except those that Ada wrote",
      "undo everything except the budget change",
    ],
  ])("[AS78] that cannot be told from a filter refuses all of it: %s", async (said) => {
    expect(await read(said)).toBe("refused");
  });
});

describe("in other words", () => {
  test.each<[string, object]>([
    [
      "revert what claude-code wrote between 2pm and 4pm yesterday",
      { operation: "take-back", agent: "claude-code", period: { said: "yesterday from 2pm to 4pm" } },
    ],
    ["tell me everything you've got on Hotel Astoria", { operation: "recall", query: "Hotel Astoria" }],
    ["what do you have from cursor about audio levels", { operation: "recall", agent: "cursor" }],
    ["which agent wrote the bit about the ports", { operation: "blame", topic: "the ports" }],
    ["anything new about the thesis in the last few days", { operation: "recall", query: "the thesis" }],
    ["a quick rundown of what changed last week", { operation: "changes" }],
    ["can i get all the supplier notes as a markdown file", { operation: "export", leftOut: ["supplier"] }],
    [
      "I can't remember my stall number, what was it?",
      { operation: "recall", query: "what is my stall number" },
    ],
    ["new branch ideas off server-move", { operation: "branch", name: "ideas", on: "server-move" }],
    [
      "don't merge server-move yet, just show me what it would change",
      { operation: "merge", isPreview: true },
    ],
    ["what would happen if I merged server-move? don't do it yet", { operation: "merge", isPreview: true }],
    ["in the draft on server-move, does Viktor survive?", { operation: "recall", on: "server-move" }],
    [
      "only bring over the gift wrap price from server-move",
      { operation: "merge", only: { topic: "gift wrap price" } },
    ],
    [
      "I deleted the rose recipe by accident, can I have it back?",
      { operation: "restore", topic: "rose recipe" },
    ],
    ["the supplier's number is wrong, should be 030 5551", { operation: "correct", isKnown: true }],
    [
      "it's not Tuesday that the market opens, it's Wednesday",
      { operation: "correct", insteadOf: "Tuesday" },
    ],
    [
      "heads up, the rehearsal is cancelled",
      { operation: "remember", content: "the rehearsal is cancelled" },
    ],
    ["turns out the buyer wants oak, not walnut", { operation: "correct", content: "the buyer wants oak" }],
    [
      "the rehearsal moved from Tuesday to Wednesday, can you update that?",
      { operation: "correct", content: "the rehearsal is Wednesday" },
    ],
    ["the band's fee went up to 900", { operation: "correct", content: "the band's fee is 900" }],
    ["sorry, I meant the deposit is 350", { operation: "correct", content: "the deposit is 350" }],
    ["who put in the note about the loan?", { operation: "blame", topic: "loan" }],
    ["what does server-move say about the DNS?", { operation: "recall", query: "DNS", on: "server-move" }],
    ["please don't merge server-move, I only want to see the differences", { operation: "difference" }],
    ["I'd like to see what merging server-move would do first", { operation: "merge", isPreview: true }],
    [
      "runway is 14 months, not 16, we hired Sofia",
      { operation: "correct", content: "runway is 14 months", insteadOf: "16", leftOut: ["we hired Sofia"] },
    ],
    [
      "the deadline got extended to 15 March, please update that",
      { operation: "correct", subject: "the deadline" },
    ],
  ])("[AS79] %s", async (said, request) => {
    expect(await read(said)).toMatchObject(request);
  });

  test.each([
    "new branch ideas off the beaten track",
    "what do you have from Tesco about audio levels",
    "you can drop the note on the old oven, I don't care any more",
  ])("[AS79] is none of them: %s", async (said) => {
    expect(await read(said)).not.toMatchObject({ operation: expect.stringMatching(/^(?:branch|correct)$/) });
    expect(await read(said)).not.toMatchObject({ agent: "Tesco" });
  });
});

describe("at the desk", () => {
  const { ask, seed, contents, inSpace } = deskOfEachTest();

  test("[AS76] a statement is written after a yes only, and corrects what says otherwise", async () => {
    await seed("The rent is 800 euro, due on the 3rd.");
    expect(await ask("swap with Dana is confirmed")).toMatchObject({ code: 2 });
    expect(await contents()).toEqual(["The rent is 800 euro, due on the 3rd."]);
    await ask(["swap with Dana is confirmed", "--yes"]);
    const told = await ask(["the rent is 900 euro", "--yes"]);
    expect(told.stdout).toContain("says otherwise");
    expect(await contents()).toEqual([
      "The rent is 900 euro, due on the 3rd.",
      "swap with Dana is confirmed",
    ]);
  });

  test("[AS77] [AS78] what was left out and what stays is said before anything is hidden", async () => {
    await seed("tea: the green one from Uji", "tea: the black one", "tea: the white one");
    const none = await ask("forget everything about tea except the purple one", "yes");
    expect(none.stdout + none.stderr).toContain('speaks of "purple"');
    expect(await contents()).toHaveLength(3);
    const shown = await ask(["forget everything about tea except the Uji one", "--preview"]);
    expect(shown.stdout).toContain("What stays: “tea: the green one from Uji”");
    const told = await ask("I've given it up. Forget everything about tea but keep the green one.", "yes");
    expect(told.stdout + told.stderr).toContain("Left out of the request: “I've given it up”");
    expect(await contents()).toEqual(["tea: the green one from Uji"]);
  });

  test("[AS78] what is excepted from a merge is left out, and said", async () => {
    await seed("shipping is 5 euro");
    await inSpace(async (agent) => {
      await agent.branches.create("server-move");
      const branch = "server-move";
      await agent.remember({ content: "the font is Inter" }, { branch });
      await agent.remember({ content: "the price is 9 euro" }, { branch });
    });
    const none = await ask("merge server-move, everything but the logo", "yes");
    expect(none.stdout + none.stderr).toContain('speaks of "logo"');
    const told = await ask("merge server-move, everything but the font", "yes");
    expect(told.stdout + told.stderr).toContain("What is left out: “the font is Inter”");
    expect(await contents()).toEqual(["shipping is 5 euro", "the price is 9 euro"]);
  });
});
