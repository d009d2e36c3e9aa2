/** What a sentence orders, what it only tells beside it, and the names that it uses. */
import { expect, test } from "vitest";
import { understandGuarded } from "../../src/ask/guards.js";
import { deskOfEachTest } from "./support/desk.js";

const around = {
  now: new Date(2026, 10, 20, 15, 30).getTime(),
  branches: ["main", "tea-plans", "oven-try"],
  checkpoints: ["first-frost"],
  agents: ["cli", "claude-code", "cursor"],
  devices: ["laptop"],
};
const read = (sentence: string) => understandGuarded(sentence, around);

test.each<[string, object, string[]]>([
  [
    "The caterer pulled out, so remove the note about the canapés.",
    { operation: "forget", topic: "the canapés" },
    ["The caterer pulled out"],
  ],
  [
    "It was a bad idea from the start, reset main to first-frost",
    { operation: "rollback", to: { ref: "checkpoint:first-frost" } },
    ["It was a bad idea from the start"],
  ],
  [
    "forget everything about the stall, sold the lot in Ghent",
    { operation: "forget", topic: "the stall", all: true },
    ["sold the lot in Ghent"],
  ],
])("[AS102] one clause of “%s” orders, the other tells why", async (sentence, request, leftOut) => {
  expect(await read(sentence)).toMatchObject({ understood: true, request, leftOut });
});

test.each<[string, object]>([
  [
    "Cursor shouldn't have touched the seed order, please revert that edit",
    { operation: "take-back", agent: "cursor", topic: "seed order" },
  ],
  ["The oven try went well, get oven-try into main", { operation: "merge", from: { matches: ["oven-try"] } }],
  [
    "We still need that frost date I had you forget. Restore it.",
    { operation: "restore", topic: "frost date" },
  ],
  ["Baxter has left the band, delete all I have on him", { operation: "forget", topic: "Baxter", all: true }],
])("[AS102] what “it” is in “%s” is said by the other clause", async (sentence, request) => {
  expect(await read(sentence)).toMatchObject({ understood: true, request });
});

test.each([
  "The release day is now Monday. Forget everything about tea!",
  "forget the stall, it isn't the green one",
  "forget that note. Wait, I need it",
  "first ask Tom, then delete the notes about the stall",
  "cursor got the stall wrong, the stall opens on Saturdays",
])("[AS102] “%s” is not taken apart", async (sentence) => {
  const found = await read(sentence);
  expect(
    found.understood && ["forget", "take-back", "undo", "rollback"].includes(found.request.operation),
  ).toBe(false);
});

test.each<[string, object]>([
  [
    "how much is the deposit on oven-try and how much was it at first",
    { branch: { matches: ["oven-try"] }, others: [{ branch: { matches: ["oven-try"] } }] },
  ],
  ["why is the kiln off in the oven-try branch", { branch: { matches: ["oven-try"] } }],
  [
    "on oven-try: every loaf gets a second proof",
    { request: { operation: "remember" }, branch: { said: "oven-try" } },
  ],
  ["list what's been changed since first-frost", { request: { period: { from: "checkpoint:first-frost" } } }],
  ["can you check out oven-try", { request: { operation: "use-branch", branch: { matches: ["oven-try"] } } }],
  ["what is planned for oven-try", { request: { operation: "list" }, branch: { matches: ["oven-try"] } }],
])("[AS103] the name in “%s” is used", async (sentence, request) => {
  expect(await read(sentence)).toMatchObject({ understood: true, ...request });
});

test("[AS104] what it said before and who changed it are one history", async () => {
  const found = await read("which value did the worker queue have earlier and who did it");
  expect(found).toMatchObject({ request: { operation: "history" } });
  expect(found).not.toHaveProperty("others");
});

test("[AS103] what uses no name that is said is refused", async () => {
  expect(await read("when did I merge oven-try")).toMatchObject({ understood: false });
});

test.each([
  "What do I pay for the first lesson, and for how long?",
  "when do I see Baxter and what did he complain about last time",
])("[AS104] “%s” is one search", async (sentence) => {
  const found = await read(sentence);
  expect(found).toMatchObject({ request: { operation: "recall" } });
  expect(found).not.toHaveProperty("others");
});

const { ask, seed, inSpace } = deskOfEachTest();

test("[AS103] what main does not know is answered by the one branch that does", async () => {
  await seed("The kiln is fired on Saturdays.");
  await inSpace(async (agent) => {
    await agent.branches.create("gifts");
    await agent.remember({ content: "Grandma gets roller skates." }, { branch: "gifts" });
  });
  const { stdout } = await ask("what does grandma get?");
  expect(stdout).toMatch(/on the branch gifts, and none on main:.*roller skates/s);
});

test("[AS102] the memory that a told clause speaks of is shown, and asked about", async () => {
  await seed("Amara needs large print for every test.", "The kiln is fired on Saturdays.");
  const { stdout } = await ask([
    "Amara doesn't need the large print any longer, so remove that.",
    "--preview",
  ]);
  expect(stdout).toMatch(/Would forget 1 memory .*Amara needs large print/s);
});

test("[AS102] a name finds what no other memory speaks of", async () => {
  await seed("Customer data from Norway must not leave the cluster.", "The kiln is fired on Saturdays.");
  const { stdout } = await ask(["Delete the Norway rule. Legal says it no longer applies.", "--preview"]);
  expect(stdout).toMatch(/Would forget 1 memory .*Norway/s);
  expect((await ask(["delete the Denmark rule", "--preview"])).stdout).toContain("No memory speaks of");
});

test("[AS102] what was forgotten is found by what is said before it", async () => {
  await seed("Noor has guitar lessons with Mr Bell.", "Our spare flags are behind the kiosk.");
  await inSpace(async (agent, space) => {
    for (const { id } of (await space.list({})).memories) await agent.forget(id);
  });
  const { stdout } = await ask([
    "Noor is starting guitar again with Mr Bell, so restore that one",
    "--preview",
  ]);
  expect(stdout).toMatch(/Would bring back 1 memory .*guitar/s);
});
