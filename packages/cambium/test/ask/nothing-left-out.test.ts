/** What a request says is not left out of what it does. */
import { expect, test } from "vitest";
import { understandGuarded } from "../../src/ask/guards.js";
import { deskOfEachTest } from "./support/desk.js";

const around = {
  now: new Date(2026, 10, 20, 15, 30).getTime(),
  branches: ["main", "tea-plans"],
  checkpoints: [],
  agents: ["cli", "claude-code", "cursor"],
};
const read = (sentence: string) => understandGuarded(sentence, around);

test.each([
  "the plan was fine, take back what cursor did there",
  "I liked the old intro better. undo cursor's stuff there please",
  // Told before it, and still when.
  "yesterday cursor changed the rent, revert that",
  // A second thing.
  "I gave the keys back, so lose the hook 7 note and the one about Dragan paying late",
  "forget the tea note and the one about coffee",
  "please get rid of the seed order and that other memory of the fence",
])("[AS105] “%s” is not done in part", async (sentence) => {
  const found = await read(sentence);
  const taken = found.understood && found.isPreview !== true ? found.request.operation : "refused";
  expect(["forget", "take-back", "undo", "rollback", "restore"]).not.toContain(taken);
});

test.each([
  ["cursor changed the rent, revert that", { operation: "take-back", agent: "cursor", topic: "rent" }],
  ["undo what cursor did in the last 3 days", { operation: "take-back", agent: "cursor" }],
  [
    "the 3 month plan was fine, take back what cursor did there",
    { operation: "take-back", agent: "cursor", topic: "3 month plan" },
  ],
  [
    // A length of something is no period, and what it is the length of belongs to it.
    "the 90 day login tokens were deliberate, please revert what cursor did there",
    { operation: "take-back", agent: "cursor", topic: "90 day login tokens" },
  ],
] as const)("[AS105] “%s” leaves nothing out", async (sentence, request) => {
  expect(await read(sentence)).toMatchObject({ understood: true, request });
});

test("[AS105] a topic beside a list is searched for", async () => {
  const tags = ["alder-court"];
  for (const sentence of ["alder court - show me everything", "Alder Court: list everything you have"]) {
    const found = await understandGuarded(sentence, { ...around, tags });
    expect(JSON.stringify(found.understood && found.request).toLowerCase(), sentence).toContain("alder");
  }
});

test("[AS105] an answer about everything says which words it did not use", async () => {
  const named = { ...around, checkpoints: ["cast-locked"] };
  const found = await understandGuarded("has the cast changed since cast-locked", named);
  expect(found).toMatchObject({ request: { operation: "changes" }, leftOut: ["cast"] });
  const all = await understandGuarded("what has changed since cast-locked", named);
  expect(all).toMatchObject({ request: { operation: "changes" } });
  expect(all).not.toHaveProperty("leftOut");
});

const desk = deskOfEachTest();

test("[AS105] what says which memory is meant is not what has changed", async () => {
  await desk.seed("Version 4.2 is on the Play Store with a rollout of 10 percent.");
  const { stdout } = await desk.ask(["4.2 is at 50 percent rollout since this morning", "--dry-run"]);
  expect(stdout).toContain("Version 4.2 is on the Play Store with a rollout of [-10-]{+50+} percent.");
});

test("[AS105] what is so only for some takes no other value's place", async () => {
  await desk.seed("The release day is Friday.");
  const { stdout } = await desk.ask(["the release day is Monday for beta testers", "--dry-run"]);
  expect(stdout).not.toContain("The release day is [-Friday-]{+Monday+}.\n");
});
