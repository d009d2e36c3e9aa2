/** How sure an answer is, and what filters, times and kinds choose without other words. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Space } from "../../src/api.js";
import { type ReplicaHere, replicaHere } from "../support/replica-here.js";
import { type Asked, KEPT_APART, TUNED, WEEK } from "./support/certainty-questions.js";

let here: ReplicaHere;
let space: Space;

beforeAll(async () => {
  here = await replicaHere();
  space = await here.replica.createSpace({ name: "notes" });
  for (const content of WEEK) await space.as({ agent: "ada" }).remember({ content });
});
afterAll(() => here[Symbol.asyncDispose]());

test.each<[string, readonly Asked[]]>([
  ["the questions that the rule was chosen on", TUNED],
  ["questions kept apart", KEPT_APART],
])(
  "[RK11] %s: an answer is strong where there is one, and seldom where there is none",
  async (_name, asked) => {
    const strong = { answered: 0, unanswered: 0 };
    for (const [question, answer] of asked) {
      const { certainty, advice, length } = await space.recall(question);
      expect([certainty === "none", certainty === "strong"]).toEqual([length === 0, advice.length === 0]);
      if (certainty === "strong") strong[answer === undefined ? "unanswered" : "answered"] += 1;
    }
    expect(strong.answered).toBeGreaterThanOrEqual(17); // of 18
    expect(strong.unanswered).toBeLessThanOrEqual(1); // of 18
  },
);

test("[RK11] an answer that is not strong says what to try, and that only words were searched", async () => {
  const none = await space.recall("zebra crossing");
  expect([[...none], none.certainty]).toEqual([[], "none"]);
  expect(none.advice).toEqual([
    "Nothing was found. Search is by words only here, so the same thing in other words is missed. Try other or fewer words, or list what is there by tag, kind or time.",
  ]);
  const weak = await space.recall("what is the marketing budget");
  expect([weak.length > 0, weak.certainty, weak.advice.length]).toEqual([true, "weak", 1]);
});

test("[RK12] filters, a time or a kind alone list, newest first", async () => {
  await using other = await replicaHere();
  const notes = await other.replica.createSpace({ name: "notes" });
  const ada = notes.as({ agent: "ada" });
  const written = [
    { content: "We take Postgres", kind: "decision", occurredAt: "2026-07-22", tags: ["db"] },
    { content: "Releases move to Fridays", kind: "decision", occurredAt: "2026-06-03" },
    { content: "The printer is on floor 3", kind: "fact", occurredAt: "2026-07-23" },
    { content: "Tea at four" },
  ];
  for (const input of written) await ada.remember(input);
  const contents = async (...args: Parameters<Space["recall"]>): Promise<readonly string[]> =>
    (await notes.recall(...args)).map(({ content }) => content.split(" ").at(-1) ?? "");

  expect(await contents(undefined, { tag: "db" })).toEqual(["Postgres"]);
  const [db] = await notes.recall(undefined, { tag: "db" });
  const nothing = await notes.recall(undefined, { tag: "db", kind: "fact" });
  expect(nothing.advice).toEqual(["Nothing passes the filters. Leave one out, or search by words."]);
  expect(await notes.strength(db?.id ?? "")).toMatchObject({ uses: 0 });
  expect(await contents("", { since: "2026-07-01", until: "2026-07-31" })).toEqual(["3", "Postgres"]);
  expect(await contents("what did we decide in July 2026")).toEqual(["Postgres"]);
  expect(await contents("decisions")).toEqual(["Fridays", "Postgres"]);
  expect(await contents("in July 2026")).toEqual(["3", "Postgres"]);
  // "Happened" is a word of no memory's subject, and "last week" the one from Monday to Sunday, as for `since`.
  const july = await notes.recall("what happened between 1 and 22 July 2026?");
  expect([july.map(({ content }) => content), july.certainty]).toEqual([["We take Postgres"], "strong"]);
  expect(july.advice).toEqual([
    '"between 1 and 22 July 2026" was read as the time from 2026-07-01 to 2026-07-22: what is of that time comes first.',
  ]);
  expect((await notes.recall("anything new in the last 24 hours")).map(({ content }) => content)).toEqual([
    "Tea at four",
  ]);
  // Words that are in no memory: what is of that time and kind is listed, and does not count as an answer.
  const other2 = await notes.recall("what did we decide about llamas in July 2026");
  expect([other2.map(({ content }) => content), other2.certainty]).toEqual([["We take Postgres"], "weak"]);
  expect((await notes.recall("decisions")).certainty).toBe("strong");
  await expect(notes.recall("  ")).rejects.toMatchObject({ code: "BAD_INPUT" });
  await expect(notes.recall(undefined, { limit: 3 })).rejects.toMatchObject({ code: "BAD_INPUT" });
  await expect(notes.recall(undefined, { tag: "" })).rejects.toMatchObject({ code: "BAD_INPUT" });
});

test("[RK15] of two that say as much, the one of the kind that the question asks for comes first", async () => {
  await using other = await replicaHere();
  const notes = await other.replica.createSpace({ name: "notes" });
  const ada = notes.as({ agent: "ada" });
  await ada.remember({ content: "The database is Postgres", kind: "decision" });
  await ada.remember({ content: "The database is slow now", kind: "fact" });
  const [first] = await notes.recall("what did we decide on the database", { priors: false });
  expect(first?.kind).toBe("decision");
});
