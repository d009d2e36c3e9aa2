/** Recall reads a word that no memory says as the one that was meant, and says so. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RecallOptions, Space } from "../../src/api.js";
import { type ReplicaHere, replicaHere } from "../support/replica-here.js";

let here: ReplicaHere;
let space: Space;

const KEPT = [
  { content: "The laptop warranty ends in May", tags: ["hardware"] },
  { content: "Felix has an allergy to walnuts" },
  { content: "Die Garantie der Waschmaschine gilt bis März", source: { kind: "talk", speaker: "Annegret" } },
  { content: "냉장고 보증서는 서랍에 있다" },
  { content: "The restaurant on Mill Lane closes early", aliases: ["Brasserie"] },
];

beforeAll(async () => {
  here = await replicaHere();
  space = await here.replica.createSpace({ name: "notes" });
  for (const input of KEPT) await space.as({ agent: "ada" }).remember(input);
});
afterAll(() => here[Symbol.asyncDispose]());

const readAs = (said: string, read: string): string =>
  `No memory here says "${said}". It was read as "${read}".`;

async function recalled(query: string, options: RecallOptions = {}) {
  const found = await space.recall(query, options);
  return { contents: found.map(({ content }) => content), advice: found.advice, found };
}

test("[RK16] misspelt words find what is said of those that were meant", async () => {
  const { contents, advice, found } = await recalled("labtop waranty");
  expect(contents).toEqual([KEPT[0]?.content]);
  expect(advice).toEqual([readAs("labtop", "laptop"), readAs("waranty", "warranty")]);
  expect([found.certainty, found[0]?.matched]).toEqual(["strong", ["laptop", "warranty"]]);
  expect(found[0]?.highlights.map(([from, to]) => found[0]?.snippet.slice(from, to))).toEqual([
    "laptop",
    "warranty",
  ]);
});

test.each([
  ["what did I say about Feliks's alergy?", 1, ["Feliks", "Felix", "alergy", "allergy"]],
  ["Wo ist die Garantei?", 2, ["Garantei", "Garantie"]],
  ["bis Maerz", 2, ["Maerz", "März"]],
  ["Anegret", 2, ["Anegret", "Annegret"]],
  ["restaraunt", 4, ["restaraunt", "restaurant"]],
  ["braserie", 4, ["braserie", "Brasserie"]],
  ["hardwear", 0, ["hardwear", "hardware"]],
])("[RK16] %s", async (query, place, words) => {
  const { contents, advice } = await recalled(query);
  expect(contents[0]).toBe(KEPT[place]?.content);
  const read = advice.filter((line) => line.includes("was read as"));
  expect(read).toEqual(
    words.flatMap((said, at) => (at % 2 === 0 ? [readAs(said, words[at + 1] ?? "")] : [])),
  );
});

test("[RK16] known words, short ones, digits, pairs of characters and common words are never read otherwise", async () => {
  for (const query of ["laptops", "lap", "laptop2", "보증소", "냉장구", "mill", "mall", "story"]) {
    const { advice } = await recalled(query);
    expect([query, advice.filter((line) => line.includes("was read as"))]).toEqual([query, []]);
  }
});

test("[RK16] as they are written, words find what they did", async () => {
  const { contents, advice } = await recalled("labtop waranty", { spelling: false });
  expect([contents, advice.length, advice.some((line) => line.includes("labtop"))]).toEqual([[], 1, false]);
});

describe("what is hidden is not told by its spelling", () => {
  test("[RK16] a word of memories that a filter leaves out is not taken", async () => {
    expect((await recalled("labtop", { tag: "hardware" })).contents).toEqual([KEPT[0]?.content]);
    for (const options of [{ not: { tag: "hardware" } }, { until: "2020-01-01" }]) {
      const { contents, advice } = await recalled("labtop", options);
      expect([contents, advice.filter((line) => line.includes("labtop"))]).toEqual([[], []]);
    }
  });

  test("[RK16] words are taken of the state: its branch, then or now", async () => {
    const ada = space.as({ agent: "ada" });
    await space.branches.create("trip");
    const { id } = await ada.remember({ content: "The passport is in the drawer" }, { branch: "trip" });
    const took = async (options: RecallOptions) => {
      const { contents, advice } = await recalled("pasport", options);
      return [contents.length, advice.some((line) => line.includes("passport"))];
    };
    expect(await took({})).toEqual([0, false]);
    expect(await took({ branch: "trip" })).toEqual([1, true]);
    const before = (await space.branches.list()).find(({ name }) => name === "trip");
    await ada.forget(id, { branch: "trip" });
    expect(await took({ branch: "trip" })).toEqual([0, false]);
    expect(await took({ branch: "trip", at: `trip@heads:${before?.head}` })).toEqual([1, true]);
  });

  test("[RK16] a word of an erased memory is gone", async () => {
    const { id } = await space.as({ agent: "ada" }).remember({ content: "Dr. Okonkwo treats the rash" });
    expect((await recalled("Okonkwu")).contents).toHaveLength(1);
    await space.as({ confirmed: true }).erase({ ids: [id] });
    expect(await recalled("Okonkwu")).toMatchObject({
      contents: [],
      advice: [expect.not.stringContaining("Okonkwo")],
    });
  });
});

test("[RK16] of words as near, the one that most memories say is read, and the same one each time", async () => {
  await using other = await replicaHere();
  const notes = await other.replica.createSpace({ name: "notes" });
  for (const content of ["Marlena came", "Marlene called", "Marlene wrote", "Marlona"])
    await notes.as({}).remember({ content });
  for (const _ of [1, 2]) {
    const found = await notes.recall("Marleny");
    expect(found.advice[0]).toBe(readAs("Marleny", "Marlene"));
    expect(found).toHaveLength(2);
  }
});
