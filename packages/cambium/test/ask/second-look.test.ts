/** What an answer says beside what it finds, and requests in wordings that people use around the same thing. */
import { describe, expect, test } from "vitest";
import { understandGuarded } from "../../src/ask/guards.js";
import { withPredicateChanged } from "../../src/ask/same-subject.js";
import { deskOfEachTest } from "./support/desk.js";

const around = {
  now: new Date(2026, 10, 20, 15, 30).getTime(),
  branches: ["main", "tea-plans"],
  checkpoints: ["pre-flood"],
  agents: ["cli", "claude-code", "cursor"],
  categories: ["travel"],
  tags: ["draft"],
};
const read = (sentence: string) => understandGuarded(sentence, around);

describe("[AS106] manners and chatter around a request", () => {
  test.each<[string, object]>([
    ["I should like to save a checkpoint called spring", { operation: "checkpoint", name: "spring" }],
    ["I'd be grateful if you could forget the note about the roses.", { operation: "forget" }],
    ["Would you please change the standup time to 10:00?", { operation: "correct" }],
    ["Could I ask you to tell me where the key is?", { operation: "recall" }],
    ["please to show me the branches", { operation: "branches" }],
    ["how many notes are there lol", { operation: "count" }],
    ["Show me everything what cursor wrote", { operation: "list", agent: "cursor" }],
    ["please make a backup of everything, just in case", { operation: "export" }],
  ])("%s", async (sentence, request) => {
    expect(await read(sentence)).toMatchObject({ understood: true, request });
  });

  test.each([
    "would you mind calling my mum and asking about dinner?",
    "would you ring Dave for me and ask about the tap?",
    "could I ask you to book a table for Friday?",
  ])("do not make an order to somebody else one: %s", async (sentence) => {
    expect(await read(sentence)).toMatchObject({ understood: false });
  });
});

describe("[AS107] counts of each label", () => {
  test.each([
    ["How many memories are there in each category?", "category"],
    ["how many notes did each agent write", "agent"],
    ["notes per tag, how many?", "tag"],
    ["give me a breakdown by device", "device"],
  ])("%s", async (sentence, of) => {
    expect(await read(sentence)).toMatchObject({ request: { operation: "labels", of } });
  });

  test("are no answer to another question", async () => {
    expect(await read("how many cups does each guest drink per day")).not.toMatchObject({
      request: { operation: "labels" },
    });
  });
});

describe("[AS108] what a forgotten memory said", () => {
  test.each([
    "What did the note about the gym say before it was forgotten?",
    "what was in the deleted note about the gym",
    "how much was the gym before we deleted it",
  ])("%s", async (sentence) => {
    const found = await read(sentence);
    expect(found).toMatchObject({ request: { operation: "forgotten" } });
    expect(JSON.stringify(found)).toContain("gym");
  });

  test("is not asked for by a time before", async () => {
    expect(await read("what was the budget before March")).toMatchObject({
      request: { operation: "recall" },
    });
  });
});

test.each<[string, string]>([
  ["merge tea-plans, and where it conflicts keep what main says", "target"],
  ["merge tea-plans, main wins", "target"],
  ["merge tea-plans into main and if there are conflicts take the branch's version", "source"],
  ["merge tea-plans, newest wins", "newest"],
])("[AS109] “%s” names the side that stays", async (sentence, strategy) => {
  expect(await read(sentence)).toMatchObject({ request: { operation: "merge", strategy } });
});

test.each(["merge tea-plans, but not the green one", "merge tea-plans, where is the kettle"])(
  "[AS109] “%s” names none",
  async (sentence) => {
    const found = await read(sentence);
    expect(found.understood && "strategy" in found.request).toBe(false);
  },
);

test("[AS78] of one memory that is to be forgotten, another one that is to be kept is no part", async () => {
  expect(await read("forget the note about tea but keep the one about coffee")).toMatchObject({
    request: { operation: "forget", topic: "tea", all: false, except: ["coffee"] },
  });
  expect(await read("forget the note about tea but keep the green bit")).toMatchObject({
    understood: false,
  });
});

test.each<[string, string, string | undefined]>([
  ["On call this week is Jonas Weber", "on call this week is priya nair again, pls update", "priya nair"],
  ["The tech lead is Tomas.", "our tech lead is now Ada Byron", "Ada Byron"],
  ["The tech lead is Tomas and he lives in Oslo", "the tech lead is now Ada", undefined],
  ["The wifi password is blue", "the door password is red", undefined],
])("[AS100] of “%s”, “%s” says another thing of the same", (memory, sentence, now) => {
  const text = withPredicateChanged(memory, sentence);
  expect(now === undefined ? text : text?.includes(now)).toBe(now === undefined ? undefined : true);
});

test.each<[string, object]>([
  ["restore the last deleted note", { operation: "restore" }],
  ["who deleted the mailhop note?", { operation: "forgotten", topic: "mailhop" }],
  ["when was the door code deleted?", { operation: "forgotten", topic: "door code" }],
  ["revert the tea note to what it was before", { operation: "restore", topic: "tea", isEarlier: true }],
])("[AS108] “%s” is about what was forgotten, or said before", async (sentence, request) => {
  expect(await read(sentence)).toMatchObject({ understood: true, request });
});

test("[AS99] a note that is not needed any more is to be forgotten, and a thing is not", async () => {
  expect(await read("I don't need the note on the grill anymore")).toMatchObject({
    request: { operation: "forget", topic: "grill" },
  });
  expect(await read("I don't need the car anymore")).toMatchObject({ request: { operation: "correct" } });
});

test("[AS51] what is to be filed may have more than one word", async () => {
  expect(await read("move the note about the boiler to the category repairs")).toMatchObject({
    request: { operation: "file", topic: "boiler", fields: { category: "repairs" } },
  });
});

test("[AS64] a branch may begin at a checkpoint or a day, and not only at a branch", async () => {
  expect(await read("make a new branch easter from the checkpoint pre-flood")).toMatchObject({
    request: { operation: "branch", name: "easter", at: { ref: "checkpoint:pre-flood" } },
  });
  expect(await read("make a branch called easter from tea-plans")).toMatchObject({
    request: { operation: "branch", name: "easter" },
    branch: { matches: ["tea-plans"] },
  });
});

test("[AS90] how things stand is answered only where a word asks for it", async () => {
  expect(await read("are there memories without a category?")).toMatchObject({ understood: false });
});

const { ask, seed, inSpace, contents } = deskOfEachTest();

test("[AS110] where no memory says both, what is found is said to be only related", async () => {
  await seed("Lily's birthday is on 14 March", "Grandma takes tablets at 8", "The bus has the number 47");
  expect((await ask("when is grandmas birthday")).stdout).toContain("only related");
  expect((await ask("when is lily's birthday")).stdout).not.toContain("only related");
});

test("[AS110] what was forgotten is named where a search finds nothing", async () => {
  const { id } = await inSpace((agent) => agent.remember({ content: "The gym costs 29 pounds a month" }));
  await inSpace((agent) => agent.forget(id));
  const { stdout } = await ask("how much is the gym?");
  expect(stdout).toMatch(/1 memory that may be meant, and forgotten:\n.*29 pounds/);
  expect((await ask("where is the bike?")).stdout).not.toContain("forgotten");
});

test("[AS110] what is nothing a memory knows is not answered by what is found by chance", async () => {
  await seed("Grafana alerts go to the channel #ops", "Nightly backups go to the bucket tally");
  const { stdout } = await ask("whats the weather going to be tomorrow");
  expect(stdout).not.toContain("Grafana");
});

test("[AS111] what an agent wrote is listed with what others changed since, and what was forgotten", async () => {
  await inSpace(async (agent, space) => {
    const cursor = space.as({ agent: "cursor" });
    const { id } = await cursor.remember({ content: "The limit is 100" });
    const { id: other } = await cursor.remember({ content: "The port is 80" });
    await cursor.remember({ content: "The host is db-1" });
    await agent.revise(id, { content: "The limit is 120" });
    await agent.forget(other);
  });
  const { stdout } = await ask("show me everything cursor wrote");
  expect(stdout).toContain("The host is db-1");
  expect(stdout).toMatch(/1 memory that cursor wrote, and others changed since:\n.*The limit is 120/);
  expect(stdout).toMatch(/1 memory that cursor wrote, forgotten since:\n.*The port is 80/);
});

test("[AS84] one value of a note takes the place of another that is named", async () => {
  await seed("The frontend is written in React 19 with Vite", "The plumber is Dave");
  await ask(["replace React 19 with React 20 in the frontend note", "--yes"]);
  expect(await contents()).toContain("The frontend is written in React 20 with Vite");
  await ask(["in the plumber note, change Dave to Rita", "--yes"]);
  expect(await contents()).toContain("The plumber is Rita");
});

test("[AS73] an export says where to, and in which form, as it was asked", async () => {
  const { stdout } = await ask("Export all notes as Markdown to a folder called taxes.");
  expect(stdout).toContain("To do it: cambium export --format markdown --out taxes\n");
});
