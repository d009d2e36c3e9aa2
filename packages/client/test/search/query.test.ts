import { afterAll, expect, test } from "vitest";
import { parseQuery } from "../../src/search/query.js";
import { Stemmer } from "../../src/search/stemmer.js";

const stemmer = new Stemmer();
afterAll(() => stemmer[Symbol.dispose]());

const NOW = new Date(2026, 10, 21, 12).getTime();
const day = (year: number, month: number, date = 1): number => new Date(year, month - 1, date).getTime();
const parse = (text: string) => parseQuery(text, { now: NOW, stemmer });

test.each([
  ["where were we last March", day(2026, 3), day(2026, 4)],
  ["lunch in December", day(2025, 12), day(2026, 1)],
  ["trip in May 2023", day(2023, 5), day(2023, 6)],
  ["what did we say 6 months ago", day(2026, 5), day(2026, 6)],
  ["lunch yesterday", day(2026, 11, 20), day(2026, 11, 21)],
  ["the talk on 3 May", day(2026, 5, 3), day(2026, 5, 4)],
  ["dinner on May 3, 2023", day(2023, 5, 3), day(2023, 5, 4)],
  ["last weekend before April 10, 2023", day(2023, 4, 10), day(2023, 4, 11)],
  ["the trip last year", day(2025, 1), day(2026, 1)],
  ["meals of the past 7 days", day(2026, 11, 14) + 12 * 3_600_000, NOW + 1],
  ["the standup last week", day(2026, 11, 9), day(2026, 11, 16)],
  ["resolutions of 2024", day(2024, 1), day(2025, 1)],
  ["the week of May 3 - 7, 2023", day(2023, 5, 3), day(2023, 5, 8)],
])("[RX9] %s", async (text, start, end) => {
  expect((await parse(text)).period).toEqual({ start, end });
});

test.each([
  ["what happened last week", "2026-11-09", "2026-11-15"],
  ["what's new since Friday?", "2026-11-20", undefined],
  ["what did we note between 3 and 10 November", "2026-11-03", "2026-11-10"],
  ["what did we decide last month", "2026-10-01", "2026-10-31"],
  ["anything new since Nov", "2026-11-01", undefined],
])("[RK12] %s", async (text, from, until) => {
  const { asked } = await parse(text);
  const edge = (at: number | undefined) => at && new Date(at).toLocaleDateString("sv");
  expect([edge(asked?.from), edge(asked?.until)]).toEqual([from, until]);
});

test.each([
  "what happened to the trip last week",
  "the week",
  "last week's budget",
  "may",
  "one two",
  "news of Oslo today",
])("[RK12] %s asks for more than a time, and leaves nothing out", async (text) => {
  expect((await parse(text)).asked).toBeUndefined();
});

test("[RX9] a week is the seven days around it", async () => {
  const { period } = await parse("what happened 2 weeks ago");
  expect(period).toEqual({ start: day(2026, 11, 4), end: day(2026, 11, 11) });
});

test.each([
  "may I come in",
  "march on",
  "the sun is up",
  "second thing",
  "what do you know now",
  "plain words",
])("[RX9] no date is read into: %s", async (text) => {
  expect((await parse(text)).period).toBeUndefined();
});

test("[RX9] the words of the period are not searched for, unless there are no others", async () => {
  expect((await parse("the camping trip last March")).terms.map(({ text }) => text)).toEqual([
    "camping",
    "trip",
  ]);
  expect((await parse("last March")).terms.map(({ text }) => text)).toEqual(["last", "March"]);
});

test("[RX8] words of one stem are one term, in the order of the query", async () => {
  const { terms } = await parse("cities and rivers, city river");
  expect(terms).toEqual([
    { text: "cities", stem: "citi", pieces: ["cities"], prefix: false },
    { text: "rivers", stem: "river", pieces: ["rivers"], prefix: false },
  ]);
});

test("[RX8] a query of many words is cut, and an empty one asks for nothing", async () => {
  const many = Array.from({ length: 500 }, (_, index) => `word${index}`).join(" ");
  expect((await parse(many)).terms).toHaveLength(32);
  expect((await parse(" ?! ")).terms).toEqual([]);
});

test.each(["yesterday ", "last March ", "the of ", "deploy ", "aB", "x"])(
  "[RX14] of a query of a million units, %j again and again, the beginning is read",
  async (piece) => {
    const { terms, period } = await parse(piece.repeat(1_000_000 / piece.length));
    expect(terms.length).toBeGreaterThan(0);
    expect(terms.length).toBeLessThanOrEqual(32);
    expect(period).toBeUndefined();
  },
);

test("[RX14] a query of ten thousand words counts by its first ones, whole", async () => {
  const words = Array.from({ length: 10_000 }, (_, index) => `word${index}`);
  const { terms } = await parse(words.join(" "));
  expect(terms.map(({ text }) => text)).toEqual(words.slice(0, 32));
});
