/** Kinds of request that were once read as another one, each made from parts. */
import { describe, expect, test } from "vitest";
import type { Intent, IntentKind, Understanding } from "../../src/ask/intent.js";
import { understand } from "../../src/ask/understand.js";
import { AROUND } from "./phrasings.js";

const ask = (sentence: string): Promise<Understanding> => understand(sentence, AROUND);
const kindOf = async (sentence: string): Promise<IntentKind | "refused"> => {
  const found = await ask(sentence);
  return found.understood ? found.request.operation : "refused";
};
const requestOf = async (sentence: string): Promise<Intent | undefined> => {
  const found = await ask(sentence);
  return found.understood ? found.request : undefined;
};
const each = <One, Other, Made>(
  some: readonly One[],
  others: readonly Other[],
  make: (one: One, other: Other) => Made,
): readonly Made[] => some.flatMap((one) => others.map((other) => make(one, other)));

describe("what is not to be done", () => {
  const not = ["don't", "do not", "never", "please don't", "Don’t"];
  const verbs = ["remember", "save", "store", "delete", "remove", "undo", "merge", "write down", "keep"];
  const objects = ["anything about Mia", "this conversation", "the wifi password", "everything cursor said"];

  test("[AS58] is neither done nor the opposite of it", async () => {
    const said = each(
      not,
      each(verbs, objects, (verb, object) => `${verb} ${object}`),
      (no, rest) => `${no} ${rest}`,
    );
    const done = await Promise.all(said.map(async (one) => [one, await kindOf(one)] as const));
    expect(done.filter(([, kind]) => kind !== "refused")).toEqual([]);
    expect(await ask("never delete anything about Mia")).toMatchObject({
      why: expect.stringContaining("what is not to be done"),
    });
  });

  test.each([
    ["don't forget to water the plants", "remember"],
    ["never forget that Tom hates nuts", "remember"],
    ["don't remember my address anymore", "forget"],
    ["stop remembering my address", "forget"],
    ["I don't remember where I parked the bike", "recall"],
  ])("[AS58] %s says what is to be done", async (said, kind) => {
    expect(await kindOf(said)).toBe(kind);
  });
});

describe("what is asked about", () => {
  const orders = [
    ["undo the last 3 changes", "undid the last 3 changes"],
    ["forget everything tagged draft", "forgot everything tagged draft"],
    ["delete the branch Experiment", "deleted the branch Experiment"],
    ["go back to yesterday", "went back to yesterday"],
    ["merge the branch Experiment into main", "merged the branch Experiment into main"],
    ["restore the bike", "restored the bike"],
  ] as const;
  const howTo = ["how do I", "how can I", "how would we", "is there a way to", "can I still", "should I"];
  const whatIf = ["what would happen if I", "what happens if I", "what if we"];

  test("[AS59] what it would do is shown, and not done", async () => {
    for (const [question, order] of each(
      whatIf,
      orders,
      (what, [order, past]) => [`${what} ${past}?`, order] as const,
    )) {
      const [found, done] = [await ask(question), await ask(order)];
      if (order.startsWith("merge")) continue;
      expect({ question, found }).toMatchObject({
        found: { understood: true, isPreview: true, request: done.understood ? done.request : {} },
      });
    }
  });

  test("[AS59] is not done: the command that shows it is named", async () => {
    const said = each(howTo, orders, (how, [order]) => [`${how} ${order}?`, order] as const);
    for (const [question, order] of said) {
      const found = await ask(question);
      const commands = found.understood ? [found.request.operation] : found.commands;
      const merge = order.startsWith("merge") && !commands?.[0]?.startsWith("cambium ask");
      expect({ question, commands: merge ? [] : commands }).toEqual({
        question,
        commands: merge ? [] : [`cambium ask '${order}' --preview`],
      });
    }
  });

  test.each([
    "how do I get to the office",
    "how can I reach the plumber",
    "can I park at the office",
    "should I take the bike",
  ])("[AS59] %s asks for what is known", async (said) => {
    expect(await kindOf(said)).toBe("recall");
  });
});

describe("what is so in a case", () => {
  const cases = ["if the school calls", "when the alarm goes off", "whenever it rains", "in case I am ill"];

  test("[AS60] is no question: to remember it is offered", async () => {
    for (const [said, whole] of each(cases, ["Grandma has the key", "call 555-0199"], (one, then) => [
      one,
      `${one}, ${then}`,
    ])) {
      const found = await ask(whole as string);
      expect({ said, found }).toMatchObject({
        found: { understood: false, near: [{ operation: "remember", example: `remember: ${whole}` }] },
      });
    }
  });

  test.each([
    "if the school calls, who has the key?",
    "when is the alarm tested, and by whom?",
    "if it rains, where do we meet?",
  ])("[AS60] %s is one", async (said) => {
    expect(await kindOf(said)).toBe("recall");
  });
});

describe("counts and lists", () => {
  const iso = (at: number | undefined): string => (at === undefined ? "" : new Date(at).toDateString());
  const filters = [
    ["about tea", { topic: "tea" }],
    ["on thermodynamics", { topic: "thermodynamics" }],
    ["that mention Ada", { topic: "Ada" }],
    ["tagged release", { tag: "release" }],
    ["in category travel", { category: "travel" }],
    ["from last Tuesday", { since: "Tue Nov 17 2026" }],
    ["since Monday", { since: "Mon Nov 16 2026" }],
    ["by cursor", { agent: "cursor" }],
    ["tagged release since Monday", { tag: "release", since: "Mon Nov 16 2026" }],
    ["in category travel by cursor", { category: "travel", agent: "cursor" }],
    ["about tea by cursor", { topic: "tea", agent: "cursor" }],
  ] as const;
  const read = async (said: string): Promise<object> => {
    const { operation, topic, query, tag, category, agent, period } = {
      ...((await requestOf(said)) as never as Record<string, never>),
    } as {
      readonly [name: string]: string | undefined;
    } & { readonly period?: { readonly since?: number } };
    const known = { topic: topic ?? query, tag, category, agent, since: iso(period?.since) || undefined };
    return {
      operation,
      ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
    };
  };

  test("[AS61] every filter of what is to be counted counts", async () => {
    for (const [how, [words, wanted]] of each(
      ["how many notes do I have", "how many memories are there", "how many notes"],
      filters,
      (one, other) => [one, other] as const,
    ))
      expect({ words, found: await read(`${how} ${words}?`) }).toEqual({
        words,
        found: { operation: "count", ...wanted },
      });
  });

  test("[AS61] every filter of what is to be listed counts", async () => {
    for (const [verb, [words, wanted]] of each(
      ["show me everything", "list all notes", "show all my memories"],
      filters,
      (one, other) => [one, other] as const,
    )) {
      const { operation, ...found } = (await read(`${verb} ${words}`)) as { operation?: string };
      // What changed on a day is told by its changes as well.
      if (operation === "changes") continue;
      expect({ said: `${verb} ${words}`, ...found }).toEqual({ said: `${verb} ${words}`, ...wanted });
      expect(["list", "recall"]).toContain(operation);
    }
  });

  test.each<[string, object]>([
    ["how much have you learned from cursor since Monday", { operation: "count", agent: "cursor" }],
    ["how many people are coming on Friday", { operation: "recall" }],
    ["show only decisions from October", { operation: "recall", query: "decisions" }],
    ["list all clients", { operation: "recall", query: "clients" }],
    ["did anyone change anything while I was away last week", { operation: "changes" }],
    ["which notes are about tea", { operation: "recall", query: "tea" }],
    ["do you know Tom's birthday?", { operation: "recall", query: "Tom's birthday" }],
    ["which facts contradict each other", { operation: "conflicts" }],
    ["do I have conflicts to resolve?", { operation: "conflicts" }],
    ["anything new about Globex since last week?", { operation: "recall", query: "Globex", period: {} }],
    ["what have you forgotten recently", { operation: "forgotten" }],
    ["is everything saved and synced?", { operation: "status" }],
    ["I think the API rate limit is wrong", { operation: "doubt", topic: "the API rate limit" }],
    ["show the last five things you learned", { operation: "recent", last: 5 }],
    ["what do you know as of now", { operation: "list" }],
    ["for how long has the rent been 665?", { operation: "history" }],
    ["summarize what you know about tea", { operation: "recall", query: "tea" }],
    ["compare what we knew about tea a month ago and today", { operation: "evolution", topic: "tea" }],
  ])("[AS61] %s", async (said, request) => {
    expect(await requestOf(said)).toMatchObject(request);
  });
});

describe("what is to come back", () => {
  const verbs = ["restore", "bring back", "recover"];
  const said = ["the note on retries", "the note about retries", "retries"];
  const gone = ["that got deleted", "that I deleted", "which was forgotten", "I removed"];

  test("[AS62] is found by when it was forgotten, too", async () => {
    for (const [verb, what] of each(
      verbs,
      each(said, gone, (topic, how) => `${topic} ${how}`),
      (verb, rest) => [verb, rest],
    ))
      expect({ what, found: await requestOf(`${verb} ${what} on November 12`) }).toMatchObject({
        what,
        found: {
          operation: "restore",
          topic: "retries",
          forgotten: { since: new Date(2026, 10, 12).getTime() },
        },
      });
    expect(await kindOf("restore the note on retries that got deleted before the war")).toBe("refused");
  });
});

describe("what is so, and not something else", () => {
  test.each([
    ["we use pnpm not npm", "we use pnpm", "npm"],
    ["the budget is 900, not 800", "the budget is 900", "800"],
    ["Tom starts school at 8, not 7:50", "Tom starts school at 8", "7:50"],
    ["claude-code got the port wrong: it's 5433, not 5432", "the port is 5433", "5432"],
    ["you had the port wrong, it should be 5433 not 5432", "the port is 5433", "5432"],
    ["the port should be 5433, not 5432", "the port is 5433", "5432"],
    ["the rent went up from 640 to 665 euros", "the rent is 665 euros", "640"],
    ["our budget was raised from 12k to 15k", "our budget is 15k", "12k"],
    ["the rehearsal is moved from Tuesday to Wednesday", "the rehearsal is Wednesday", "Tuesday"],
    ["the tenant pays 740 now instead of 710", "the tenant pays 740", "710"],
    ["that note about the king is wrong, it's silver, not iron", "the king is silver", "iron"],
  ])("[AS63] %s corrects", async (said, content, insteadOf) => {
    expect(await requestOf(said)).toMatchObject({ operation: "correct", content, insteadOf });
  });

  test.each([
    "the office is not open",
    "Ada does not like tea",
    "we will not move",
    "whether or not",
    "I am not sure why not",
  ])("[AS63] %s is instead of nothing", async (said) => {
    expect(await kindOf(said)).not.toBe("correct");
  });
});

describe("states and stretches of time", () => {
  const verbs = ["roll back", "revert", "undo", "take back", "forget"];
  const states = [
    "to how it was",
    "to the state of",
    "as it was on",
    "the way they were on",
    "to what it was on",
  ];

  test("[AS67] a state to go back to is not when something was written", async () => {
    const said = each(
      verbs,
      each(states, ["this morning", "Tuesday"], (state, when) => `${state} ${when}`),
      (verb, rest) => `${verb} everything about deploys ${rest}`,
    );
    for (const one of said) expect({ one, kind: await kindOf(one) }).toEqual({ one, kind: "refused" });
  });

  test("[AS67] of two days, the first one is before the other", async () => {
    const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    for (const [first, last] of each(days, [...days, "yesterday", "today"], (one, other) => [one, other]))
      for (const words of [`what changed between ${first} and ${last}`, `compare ${first} with ${last}`]) {
        const request = await requestOf(words);
        if (request?.operation !== "changes") continue;
        const { from, to = "9999" } = request.period;
        expect({ words, from, inOrder: from < to }).toEqual({ words, from, inOrder: true });
      }
    expect(await requestOf("what changed between Saturday and Wednesday")).toMatchObject({
      period: { from: "2026-11-14", to: "2026-11-18" },
    });
  });
});

describe("several sentences", () => {
  test.each([
    [
      "The parking spots are 14 and 15. Also the alarm code is now 7731.",
      ["remember that The parking spots are 14 and 15", "the alarm code is now 7731"],
      undefined,
    ],
    [
      "the release day is now Monday. Forget everything about tea!",
      ["the release day is now Monday"],
      ["cambium ask 'Forget everything about tea' --preview"],
    ],
  ])("[AS57] of %s each is named by itself", async (said, near, commands) => {
    const found = await ask(said);
    expect(found).toMatchObject({ understood: false, near: near.map((example) => ({ example })) });
    if (commands !== undefined) expect(found).toMatchObject({ commands });
  });
});

describe("places and names", () => {
  test.each<[string, object]>([
    [
      "I want to try out a different study plan without messing up the current one",
      { operation: "branch", name: "study-plan" },
    ],
    ["let's try another layout on the side", { operation: "branch", name: "layout" }],
    ["throw away Experiment", { operation: "delete-branch" }],
    ["ditch the try-1", { operation: "delete-branch" }],
    [
      'put the Initech notes under "archive"',
      { operation: "file", topic: "Initech", fields: { category: "archive" } },
    ],
    [
      "move all vendor stuff to contacts",
      { operation: "file", topic: "vendor", fields: { category: "contacts" } },
    ],
    [
      "Ada signs the contract, please remember that",
      { operation: "remember", content: "Ada signs the contract" },
    ],
    ['Ms. Hanley said "forget the old price list", note that', { operation: "remember" }],
    ["hide the alarm code", { operation: "forget", topic: "alarm code", all: false }],
    [
      "add a note that the dishwasher needs salt",
      { operation: "remember", content: "the dishwasher needs salt" },
    ],
    ["FYI the demo is on the 3rd", { operation: "remember", content: "the demo is on the 3rd" }],
    ["save this for later: use Zod", { operation: "remember", content: "use Zod" }],
    ["try the new layout on a branch called layout", { operation: "branch", name: "layout" }],
    ["could you maybe go back to last Monday?", { operation: "rollback" }],
    ["remove the swimming lessons", { operation: "forget", topic: "swimming lessons", all: false }],
    ["no wait, undo the last two things", { operation: "undo", last: 2 }],
    ["pls remember i hate mornings", { operation: "remember", content: "i hate mornings" }],
    ["export everything as markdown to ~/backup", { operation: "export" }],
    ["bring main up to date with Experiment", { operation: "merge", into: { said: "main" } }],
    ["start a scratch area for the garden", { operation: "branch", name: "garden" }],
    ["let's branch off for the rewrite, call it v3", { operation: "branch", name: "v3" }],
    ["Hi! Could you remember that it is 4711? Thanks!", { operation: "remember", content: "it is 4711" }],
    ["tidy up please", { operation: "combine" }],
    [
      "clear out the junk from October",
      { operation: "take-back", topic: "junk", period: { said: "from October" } },
    ],
    ["compare main and Experiment", { operation: "difference", from: { said: "main" } }],
    ["compare Experiment with main", { operation: "difference", from: { said: "main" } }],
  ])("[AS64] %s", async (said, request) => {
    expect(await requestOf(said)).toMatchObject(request);
  });

  test.each([
    ["get rid of the notice by cursor"],
    ["remind me on Friday to call the bank"],
    ["delete the file notes.txt"],
    ["remove the old docker images"],
    ["scrap the layout experiment"],
    ["move all vendor stuff from notes to contacts"],
    ["try it without breaking anything"],
    ["undo the last change, remember that"],
  ])("[AS64] not understood: %s", async (said) => {
    expect(await kindOf(said)).toBe("refused");
  });
});
