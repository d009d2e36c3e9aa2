/** A choice that a reader made: what it becomes, and what keeps it from becoming anything. */
import { expect, test } from "vitest";
import type { Choice } from "../../src/ask/chosen/choice.js";
import { readChoice } from "../../src/ask/chosen/read-choice.js";
import type { Surroundings } from "../../src/ask/intent.js";
import type { TrainedReading } from "../../src/ask/trained/read-trained.js";
import { understand } from "../../src/ask/understand.js";

const AROUND: Surroundings = {
  now: new Date(2026, 10, 20, 15, 30).getTime(),
  branches: ["main", "spring-tour", "menu"],
  checkpoints: ["session-12"],
  agents: ["cli", "cursor"],
  devices: ["laptop", "phone"],
  categories: ["patients", "kids"],
  tags: ["merch"],
};

type Slots = Readonly<Record<string, string | readonly string[]>>;
const listed = (slots: Slots): Choice["slots"] =>
  Object.fromEntries(Object.entries(slots).map(([name, words]) => [name, [words].flat()]));
const choose = async (
  sentence: string,
  operation: Choice["operation"],
  slots: Slots,
  left: readonly string[] = [],
) => await readChoice({ operation, slots: listed(slots), left }, sentence, AROUND);

/** A reader that is this sure of one act, and finds these parts. */
const reader =
  (act: TrainedReading["acts"][number]["act"], probability: number, slots: Slots) =>
  (sentence: string): TrainedReading => ({
    acts: [
      { act, probability },
      { act: "none", probability: 1 - probability },
    ],
    slots: Object.entries(slots).flatMap(([name, words]) =>
      [words].flat().map((text) => ({
        ...{ name: name as "topic", text, start: sentence.indexOf(text), sureness: 1 },
        end: sentence.indexOf(text) + text.length,
      })),
    ),
    cue: { most: 1, words: [] },
  });

test.each<[string, Choice["operation"], Slots, object]>([
  [
    "wipe everything tagged merch",
    "forget",
    { tag: "merch" },
    { request: { operation: "forget", tag: "merch", all: true } },
  ],
  [
    "bin all you have on the caravan",
    "forget",
    { topic: "the caravan" },
    { request: { topic: "caravan", all: true } },
  ],
  ["the caravan bit can go", "forget", { topic: "caravan" }, { request: { topic: "caravan", all: false } }],
  [
    "cursor's tinkering with the menu of yesterday, out",
    "take-back",
    { agent: "cursor", topic: "menu", period: "yesterday" },
    { request: { operation: "take-back", agent: "cursor", topic: "menu" } },
  ],
  [
    "rewind it all to session-12",
    "rollback",
    { state: "session-12" },
    { request: { to: { ref: "checkpoint:session-12" } } },
  ],
  [
    "roll it all back 2 hrs",
    "rollback",
    { period: "2 hrs" },
    { request: { to: { ref: new Date(2026, 10, 20, 13, 30).toISOString() } } },
  ],
  [
    "anything fresh in the kids stuff since Monday",
    "changes",
    { topic: "kids stuff", period: "since Monday" },
    { request: { operation: "list", category: "kids" } },
  ],
  [
    "the previous wording was better, the lease",
    "restore",
    { topic: "the lease" },
    { request: { operation: "restore", topic: "lease", isEarlier: true } },
  ],
  [
    "what went in the bin about school",
    "forgotten",
    { topic: "school" },
    { request: { operation: "forgotten", topic: "school" } },
  ],
  [
    "fork off session-12 as what-if",
    "branch",
    { state: "session-12", name: "what-if" },
    { request: { name: "what-if", at: { ref: "checkpoint:session-12" } } },
  ],
])("[AS90] %s", async (sentence, operation, slots, found) => {
  expect(await choose(sentence, operation, slots)).toMatchObject(found);
});

test.each<[string, Choice["operation"], Slots, readonly string[]]>([
  ["forget the caravan unless it is sold", "forget", { topic: "caravan" }, []],
  ["forget the first half of the caravan", "forget", { topic: "caravan" }, []],
  ["never delete the branch menu", "delete-branch", { branch: "menu" }, []],
  ["drop my last three notes about the caravan", "forget", { topic: "caravan" }, []],
  ["drop the caravan from last summer", "forget", { topic: "caravan from last summer" }, []],
  ["undo what cursor did, but leave the menu", "take-back", { agent: "cursor" }, ["but leave the menu"]],
  ["undo that and the merge", "undo", {}, []],
  [
    "take back what cursor did since the flood",
    "take-back",
    { agent: "cursor", period: "since the flood" },
    [],
  ],
  ["erase what the phone noted on petty cash", "forget", { device: "phone", topic: "petty cash" }, []],
  ["merge only the prices from menu", "merge", { branch: "menu" }, []],
  ["bring something back from the shed please", "restore", {}, []],
])(
  "[AS91] with a word that no part carries, nothing is taken: %s",
  async (sentence, operation, slots, left) => {
    expect(await choose(sentence, operation, slots, left)).toEqual({ left: expect.any(String) });
  },
);

test("[AS92] an exact form stays, however sure the reader is of something else", async () => {
  const found = await understand(
    "remember: forget everything about tea",
    AROUND,
    reader("forget", 0.99, { topic: "tea" }),
  );
  expect(found).toMatchObject({ request: { operation: "remember", content: "forget everything about tea" } });
  const undone = await understand("undo the last 2 changes", AROUND, reader("recall", 0.99, {}));
  expect(undone).toMatchObject({ request: { operation: "undo", last: 2 } });
});

test("[AS92] what a search found for any words gives way to what is surely asked", async () => {
  const said = "who on earth has the spare key wrong";
  const sure = reader("blame", 0.9, { topic: "spare key" });
  expect(await understand(said, AROUND, sure)).toMatchObject({
    request: { operation: "blame", topic: "spare key" },
  });
  const unsure = reader("blame", 0.4, { topic: "spare key" });
  expect(await understand(said, AROUND, unsure)).not.toMatchObject({ request: { operation: "blame" } });
});

test("[AS93] a refusal says what was understood, and its near requests take nothing away", async () => {
  const said = "do away with whatever the phone has on petty cash would you";
  const found = await understand(
    said,
    AROUND,
    reader("forget", 0.97, { topic: "petty cash", device: "phone" }),
  );
  expect(found).toMatchObject({
    understood: false,
    why: expect.stringMatching(/Understood: forget, "petty cash"\. Not understood: "phone"/),
    near: [{ operation: "recall", example: 'search for "petty cash"' }],
  });
});

test("[AS94] what is told to be kept is kept where it belongs", async () => {
  const other = reader("remember", 0.95, { content: "the shop is closed" });
  expect(await understand("ping Jonas that the shop is closed", AROUND, other)).toMatchObject({
    understood: false,
  });
  const placed = await choose("For spring-tour: Marseille is on 14 March", "remember", {
    content: "For spring-tour: Marseille is on 14 March",
  });
  expect(placed).toMatchObject({
    request: { content: "Marseille is on 14 March" },
    branch: { matches: ["spring-tour"] },
  });
});

test("[AS96] a time that says nothing here is left out of an answer, and refuses a count", async () => {
  const slots = { agent: "cursor", period: "since the flood" };
  expect(await choose("what did cursor put in since the flood", "changes", slots)).toMatchObject({
    request: { operation: "list", agent: "cursor" },
    leftOut: ["since the flood"],
  });
  expect(await choose("how many by cursor since the flood", "count", slots)).toEqual({
    left: "since the flood",
  });
});

test("[AS97] what is asked with the name of a branch is looked for there", async () => {
  expect(
    await choose("what has spring-tour on Marseille", "recall", { topic: "spring-tour on Marseille" }),
  ).toMatchObject({
    request: { operation: "recall", query: "on Marseille" },
    branch: { matches: ["spring-tour"] },
  });
});
