import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { foldDuplicates } from "../../src/search/duplicates.js";
import { FullText } from "../../src/search/full-text.js";
import { fuse } from "../../src/search/fuse.js";
import { parseQuery } from "../../src/search/query.js";
import type { CandidateFacts } from "../../src/search/rank.js";
import { type RecallRequest, type RecallState, recallSnapshots } from "../../src/search/recall-snapshots.js";
import { Stemmer } from "../../src/search/stemmer.js";
import { TEXT_TABLES_SCHEMA } from "../../src/search/text-tables.js";

const stemmer = new Stemmer();
afterAll(() => stemmer[Symbol.dispose]());

type Shown = (snapshot: number) => boolean;

/** One conversation in the order of `contents`, of which the state shows some. */
function conversation(contents: readonly string[], shown: Shown = () => true) {
  const database = new DatabaseSync(":memory:");
  database.exec(TEXT_TABLES_SCHEMA);
  const text = new FullText(database);
  for (const [snapshot, content] of contents.entries())
    text.add(snapshot, { content, tags: [], aliases: [], links: [] });
  const factsOf = (snapshot: number): CandidateFacts => ({
    snapshot,
    memory: `m${String(snapshot).padStart(6, "0")}`,
    at: 0,
    session: "1",
  });
  const visible = contents.map((_, snapshot) => snapshot).filter(shown);
  const asked: number[] = [];
  const state: RecallState = {
    facts: (snapshots) => {
      asked.push(snapshots.length);
      return snapshots.filter((snapshot) => visible.includes(snapshot)).map(factsOf);
    },
    sessions: (facts) => (facts.length === 0 ? [] : [visible]),
    contents: (snapshots) => snapshots.map((snapshot) => contents[snapshot] ?? ""),
  };
  const recall = async (words: string, more: Partial<RecallRequest> = {}) => {
    const query = await parseQuery(words, { now: 0, stemmer });
    return recallSnapshots(text, state, { query, limit: 10, past: false, ...more });
  };
  return { recall, asked };
}

const snapshots = (found: readonly { readonly facts: CandidateFacts }[]) =>
  found.map(({ facts }) => facts.snapshot);
const filler = (count: number) => Array.from({ length: count }, (_, index) => `filler${index} unrelated`);

describe("recall", () => {
  test("[RK1] the answer is found though it shares no word with the question", async () => {
    const talk = conversation([...filler(20), "Which pet is it?", "Oscar, so fluffy!", ...filler(20)]);
    const found = await talk.recall("pet");
    expect(snapshots(found).slice(0, 3)).toContain(21);
    expect(found.find(({ facts }) => facts.snapshot === 21)?.terms).toEqual([]);
    expect(found.find(({ facts }) => facts.snapshot === 20)?.terms).toEqual([0]);
  });

  test("[RK6] what the state does not show is not found, and does not stand between", async () => {
    const talk = conversation(
      [...filler(5), "Which pet is it?", "hidden pet", "hidden too", "Oscar!", ...filler(5)],
      (snapshot) => snapshot !== 6 && snapshot !== 7,
    );
    const found = snapshots(await talk.recall("pet"));
    expect(found).not.toContain(6);
    expect(found).toContain(8);
  });

  test("[RK6] when filters let few through, the search goes on until it has them all", async () => {
    const contents = Array.from({ length: 3_000 }, (_, index) => `pet ${index}`);
    const talk = conversation(contents, (snapshot) => snapshot === 7 || snapshot === 2_999);
    const found = snapshots(await talk.recall("pet"));
    expect(found.toSorted((a, b) => a - b)).toEqual([7, 2_999]);
    expect(talk.asked[0]).toBeLessThan(500);
  });

  test("[RK7] the same told twice is one result that says how often", async () => {
    const talk = conversation([
      "We have a pet.",
      ...filler(9),
      "we have a pet!",
      ...filler(18).slice(9),
      "A pet shop opened",
    ]);
    const found = await talk.recall("pet");
    const folded = found.filter(({ folded }) => folded.length > 0);
    expect(folded).toHaveLength(1);
    expect([folded[0]?.facts.snapshot, folded[0]?.folded[0]?.snapshot].sort()).toEqual([0, 10]);
    expect(snapshots(found)).toContain(20);
  });

  test("[RK8] vectors add what no word finds, and agree with words to come first", async () => {
    const talk = conversation(["a pet", "a pet too", ...filler(30)]);
    const found = await talk.recall("pet", { vectors: [1, 25] });
    expect(snapshots(found)[0]).toBe(1);
    expect(snapshots(found)).toContain(25);
  });

  test("[RK6] never more than the limit, and nothing for a query without words", async () => {
    const talk = conversation(Array.from({ length: 50 }, (_, index) => `pet number ${index}`));
    expect(await talk.recall("pet", { limit: 3 })).toHaveLength(3);
    expect(await talk.recall("?!")).toEqual([]);
  });
});

describe("duplicates", () => {
  const fold = (...texts: readonly string[]) =>
    foldDuplicates(
      texts.map((text) => ({ item: text, text })),
      10,
    ).map(({ item, folded }) => [item, ...folded]);

  test.each([
    [
      "a number",
      "The meeting with the whole team about plans is at 5",
      "The meeting with the whole team about plans is at 6",
    ],
    [
      "a not",
      "He said that she is coming to the party with us",
      "He said that she is not coming to the party with us",
    ],
    [
      "a not, in a text beyond ASCII",
      "Zoë said that she is coming to the party with us",
      "Zoë said that she is not coming to the party with us",
    ],
    ["nothing but signs", "!!!", "???"],
  ])("[RK7] texts that differ by %s are two", (_, a, b) => {
    expect(fold(a, b)).toEqual([[a], [b]]);
  });

  test("[RK7] case, signs and a word in twenty make no difference", () => {
    const long =
      "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
    expect(fold(long, `${long.toUpperCase()}! twenty`)).toHaveLength(1);
  });

  test("[RK7] what lies beyond the limit is not read", () => {
    const items = ["a", "b", "c", "d"].map((text) => ({ item: text, text })).values();
    const kept = foldDuplicates(items, 2);
    expect(kept.map(({ item }) => item)).toEqual(["a", "b"]);
    expect(items.next().value?.item).toBe("d");
  });
});

test("[RK8] fusing adds one over sixty plus the rank, for every ranking", () => {
  expect(
    fuse([
      ["a", "b"],
      ["b", "c"],
    ]),
  ).toEqual([
    { item: "b", score: 1 / 62 + 1 / 61 },
    { item: "a", score: 1 / 61 },
    { item: "c", score: 1 / 62 },
  ]);
  expect(fuse([])).toEqual([]);
});

test("[RX14] texts too long to be cut into words are folded where they are the same, and not else", () => {
  const long = "one two three four five six seven eight nine ten eleven twelve ".repeat(2_000);
  const items = [long, `${long}more`, long].map((text, item) => ({ item, text }));
  expect(foldDuplicates(items, 10)).toEqual([
    { item: 0, folded: [2] },
    { item: 1, folded: [] },
  ]);
});
