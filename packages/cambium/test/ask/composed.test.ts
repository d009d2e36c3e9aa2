/** Requests that are read from their parts: what is looked for, what narrows it, and names of the space. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { correctedText } from "../../src/ask/corrected-text.js";
import type { Intent, Surroundings, Understanding } from "../../src/ask/intent.js";
import { understand } from "../../src/ask/understand.js";

const NOW = new Date(2026, 10, 18, 15, 30).getTime(); // a Wednesday
const AROUND: Surroundings = {
  now: NOW,
  branches: ["main", "experiment"],
  checkpoints: ["before-cleanup"],
  agents: ["cli", "claude-code", "cursor"],
  devices: ["laptop"],
  categories: ["travel", "deploy"],
  tags: ["staging", "fonts"],
};
const ask = (sentence: string): Promise<Understanding> => understand(sentence, AROUND);
const requestOf = async (sentence: string): Promise<object | string> => {
  const found = await ask(sentence);
  return found.understood ? found.request : "refused";
};

const since = new Date(2026, 10, 16).getTime();

describe("what narrows a list", () => {
  const parts = [
    ["by cursor", { agent: "cursor" }],
    ["since Monday", { since }],
    ["in category travel", { category: "travel" }],
    ["about tea", { query: "tea" }],
  ] as const;

  test("[AS68] is read in any order, and all of it counts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...parts], { minLength: 1 }),
        fc.constantFrom("show me all notes", "list the memories", "find everything", "notes", "everything"),
        async (chosen, lead) => {
          // A period alone asks what changed in it.
          fc.pre(chosen.some(([words]) => words !== "since Monday"));
          const said = `${lead} ${chosen.map(([words]) => words).join(" ")}`;
          const { period, ...found } = (await requestOf(said)) as { period?: { since: number } };
          const { since: from, ...wanted }: { since?: number } = Object.assign(
            {},
            ...chosen.map(([, one]) => one),
          );
          const operation = chosen.some(([words]) => words === "about tea") ? "recall" : "list";
          expect({ said, ...found, since: period?.since }).toEqual({
            said,
            operation,
            ...wanted,
            since: from,
          });
        },
      ),
      { numRuns: 60, seed: 68 },
    );
  });

  test.each([
    ["yesterday's notes about tea", { operation: "recall", query: "tea", period: { said: "yesterday" } }],
    ["show me Claude Code's notes", { operation: "list", agent: "claude-code" }],
    ["list all staging memories", { operation: "recall", query: "staging" }],
    ["the last 3 notes cursor wrote", { operation: "list", agent: "cursor", limit: 3 }],
    ["everything Claude Code added between 1 and 5 November", { operation: "list", agent: "Claude Code" }],
  ])("[AS68] %s", async (sentence, request) => {
    expect(await requestOf(sentence)).toMatchObject(request);
  });

  test.each([
    "everything is fine",
    "list the notes about tea by heart and soul since forever ago in Rome",
    "forget notes",
  ])("[AS68] with a word left over it is no list: %s", async (sentence) => {
    expect(await requestOf(sentence)).not.toMatchObject({ operation: "list" });
  });
});

describe("a few words", () => {
  test.each([
    "staging fonts",
    "the dentist's address",
    "Mia's passport",
    "wifi password?",
    "budget for May?",
  ])("[AS69] %s is searched for", async (sentence) => {
    expect(await requestOf(sentence)).toEqual({ operation: "recall", query: sentence.replace("?", "") });
  });

  test.each([
    ...[
      "restart the staging database",
      "deploy staging",
      "draft an invoice?",
      "play some music",
      "make it 60",
    ],
    ...["we turned staging on today", "fonts", "good morning"],
  ])("[AS69] %s is not", async (sentence) => {
    expect(await requestOf(sentence)).toBe("refused");
  });
});

describe("a part of a branch", () => {
  const experiment = { said: "experiment", matches: ["experiment"] };
  const main = { said: "main", matches: ["main"] };

  test.each([
    ["merge experiment, but only the memories about deploy", { from: experiment, only: { topic: "deploy" } }],
    [
      "bring only the things about fonts from experiment into main",
      { from: experiment, into: main, only: { topic: "fonts" } },
    ],
    ["merge only what is tagged staging from experiment", { from: experiment, only: { tag: "staging" } }],
    [
      "merge experiment into main without category travel",
      { from: experiment, into: main, only: { not: { category: "travel" } } },
    ],
    [
      "merge experiment, but leave out anything tagged draft",
      { from: experiment, only: { not: { tag: "draft" } } },
    ],
  ])("[AS70] %s", async (sentence, request) => {
    expect(await requestOf(sentence)).toEqual({ operation: "merge", ...request });
  });

  test.each([
    "merge experiment but only the good parts",
    "merge experiment, but only the memories about deploy and fonts",
    "merge experiment but not on Fridays",
    "merge experiment but keep the old ones",
  ])("[AS70] what is not read keeps all of it from being merged: %s", async (sentence) => {
    expect(await requestOf(sentence)).toBe("refused");
  });

  test.each([
    ["what's new on experiment?", { operation: "difference", from: main, to: experiment }],
    ["anything new on the experiment branch?", { operation: "difference", from: main, to: experiment }],
  ])("[AS71] %s", async (sentence, request) => {
    expect(await requestOf(sentence)).toEqual(request);
  });

  test("[AS71] a question that ends with the name of a branch is asked there", async () => {
    expect(await ask("what do you know about tea on experiment?")).toMatchObject({
      request: { operation: "recall", query: "tea" },
      branch: experiment,
    });
    const other = await ask("what do you know about tea on Sundays?");
    expect(other.understood && other.branch).toBe(undefined);
  });
});

describe("what is only shown", () => {
  test.each([
    ["preview merging experiment into main", "merge"],
    ["preview undoing the last change", "undo"],
    ["show me what merging experiment would do", "merge"],
  ])("[AS72] %s", async (sentence, operation) => {
    expect(await ask(sentence)).toMatchObject({ understood: true, request: { operation }, isPreview: true });
  });
});

describe("slips", () => {
  test.each([
    ["what did you know about tea at the begining of October?", "recall"],
    ["what chaned yesteday", "changes"],
    ["list my checkponts", "checkpoints"],
  ])("[AS53] %s", async (sentence, operation) => {
    expect(await requestOf(sentence)).toMatchObject({ operation });
  });

  test("[AS53] what would take something away is named, and not guessed", async () => {
    expect(await ask("delete the checkpont before-cleanup")).toMatchObject({ understood: false });
  });
});

describe("how things stand", () => {
  test.each([
    ["are there any conflicts I should look at?", { operation: "conflicts" }],
    ["is there anything where my phone and the computer disagree?", { operation: "conflicts" }],
    ["did the things I typed on my phone arrive on the laptop yet?", { operation: "status" }],
    ["is my desktop up to date?", { operation: "status" }],
    ["I'd like a copy of everything on a USB stick", { operation: "export" }],
    ["which checkpoints have we made so far?", { operation: "checkpoints" }],
    ["show me all the branches we have", { operation: "branches" }],
    ["what tags do you use?", { operation: "labels", of: "tag" }],
    ["who has written here?", { operation: "labels", of: "agent" }],
  ])("[AS73] %s", async (sentence, request) => {
    expect(await requestOf(sentence)).toEqual(request);
  });

  test("[AS73] with a word that belongs to something else it is another question", async () => {
    const about = ["the bakery", "Tom", "insurance", "the essay", "next summer"];
    const said = ["did the phone arrive at", "which branches has"];
    for (const lead of said)
      for (const topic of about) {
        const found = await requestOf(`${lead} ${topic}?`);
        expect({ lead, topic, found }).not.toMatchObject({
          found: { operation: expect.stringMatching(/^(?:conflicts|status|branches|export)$/) },
        });
      }
  });
});

describe("names of the space", () => {
  test("[AS74] by whom, on which device or branch is never part of what is hidden or brought back", async () => {
    const names = ["from cursor", "from the laptop", "on experiment", "by Claude Code", "from experiment"];
    const verbs = [
      "forget the note about tea",
      "delete the memory about tea",
      "restore tea",
      "bring back the tea",
    ];
    for (const verb of verbs)
      for (const name of names) {
        const found = await ask(`${verb} ${name}`);
        const { topic = "tea" } = (found.understood ? found.request : {}) as { topic?: string };
        expect({ verb, name, topic }).toEqual({ verb, name, topic: "tea" });
      }
    expect(await requestOf("forget the note about tea from cursor")).toMatchObject({
      operation: "take-back",
      ...{ agent: "cursor", topic: "tea" },
    });
  });

  test.each([
    "undo what I did on experiment",
    "delete everything on experiment about tea",
    "delete all tea notes by cursor or claude",
  ])("[AS74] a branch is no topic, and notes are no agent: %s", async (sentence) => {
    expect(await requestOf(sentence)).toBe("refused");
  });

  test("[AS74] what was written on a device is shown, and never taken back by it", async () => {
    expect(await requestOf("everything I've written down from my laptop this month")).toMatchObject({
      operation: "list",
      device: "laptop",
    });
    expect(await requestOf("forget everything I wrote on the laptop")).toBe("refused");
  });

  test.each([
    ["what's in the travel category?", { operation: "list", category: "travel" }],
    ["show notes in travel that cursor wrote", { operation: "list", category: "travel", agent: "cursor" }],
    ["what do you have filed under deploy", { operation: "list", category: "deploy" }],
  ])("[AS68] %s", async (sentence, request) => {
    expect(await requestOf(sentence)).toEqual(request);
  });
});

describe("what is to be kept", () => {
  test.each([
    [
      "Leo weighs 22 kilos, put that under health",
      { content: "Leo weighs 22 kilos", fields: { category: "health" } },
    ],
    [
      "remember that the bags are matte, tag it print",
      { content: "the bags are matte", fields: { tags: ["print"] } },
    ],
    [
      "note that the bags are matte and tag it print",
      { content: "the bags are matte", fields: { tags: ["print"] } },
    ],
    [
      "put in travel that the bus leaves at 5",
      { content: "the bus leaves at 5", fields: { category: "travel" } },
    ],
    ["save this for me: it rains", { content: "it rains" }],
    ['remember "Ada likes tea"', { content: "Ada likes tea" }],
    [
      "don't use the word tea in letters. Keep that in mind.",
      { content: "don't use the word tea in letters." },
    ],
    ["from now on, answer in German", { content: "from now on, answer in German" }],
    ["always call me Ana", { content: "always call me Ana" }],
    ["Lena's on call in May, too", { content: "Lena's on call in May, too" }],
  ])("[AS75] %s", async (sentence, request) => {
    expect(await requestOf(sentence)).toEqual({ operation: "remember", ...request });
  });

  test.each(["always delete the notes", "never merge experiment", "from now on, forget tea", "always"])(
    "[AS75] %s is no preference",
    async (sentence) => {
      expect(await requestOf(sentence)).toBe("refused");
    },
  );

  test.each([
    ["staging deploys on Fridays, not Thursdays", "staging deploys on Fridays", "Thursdays"],
    ["the timeout isn't 15 minutes anymore, it's 5", "the timeout is 5 minutes", "15 minutes"],
    ["the insurance isn't 58 a month, it's 61", "the insurance is 61", "58"],
    ["Ravi no longer owns payments, it's Oskar", "Oskar owns payments", "Ravi"],
  ])("[AS63] %s", async (sentence, content, insteadOf) => {
    expect(await requestOf(sentence)).toMatchObject({ operation: "correct", content, insteadOf });
  });
});

describe("what is said around it", () => {
  test.each([
    ["oops, I didn't mean that, put it back", "undo"],
    ["drop the experiment branch, we're done with it", "delete-branch"],
    ["I no longer need the note about tea, please drop it", "forget"],
    ["throw experiment away", "delete-branch"],
    ["make a branch called trial and switch to it", "branch"],
    ["hm no, undo the last thing", "undo"],
  ])("[AS4] %s", async (sentence, operation) => {
    expect(await requestOf(sentence)).toMatchObject({ operation });
  });
});

describe("a value in other words", () => {
  test.each([
    [
      "The bleed for Tom is 5 mm, not 3",
      "Tom at the shop needs files with 3 mm bleed.",
      "Tom at the shop needs files with 5 mm bleed.",
    ],
    [
      "it's not 94 euros for electricity, it's 99",
      "We pay 94 euros a month for electricity.",
      "We pay 99 euros a month for electricity.",
    ],
    [
      "staging deploys on Wednesdays, not Tuesdays",
      "Staging deploys every Tuesday at 10:00.",
      "Staging deploys every Wednesday at 10:00.",
    ],
    [
      "set the gateway timeout to 60 seconds",
      "The request timeout at the gateway is 30 seconds.",
      "The request timeout at the gateway is 60 seconds.",
    ],
  ])("[AS40] %s leaves all else as it is", async (sentence, before, after) => {
    const request = await requestOf(sentence);
    if (typeof request === "string" || !("subject" in request)) throw new Error(sentence);
    expect(correctedText(before, request as Extract<Intent, { operation: "correct" }>)).toEqual({
      text: after,
      losesRest: false,
    });
  });

  test.each([
    ["the meeting is at 5, not 3", "The meeting takes 3 hours and begins at 4."],
    ["the timeout of the login page is 60 seconds", "The gateway timeout is 30 seconds."],
  ])("[AS40] %s names no part of it", async (sentence, before) => {
    const request = await requestOf(`actually, ${sentence}`);
    const { text } = correctedText(before, request as Extract<Intent, { operation: "correct" }>);
    const swapped = before.replace(/\d+(?= (?:hours|seconds))/, (number) => (number === "3" ? "5" : "60"));
    expect(text).not.toBe(swapped);
  });
});
