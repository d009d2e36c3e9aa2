import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { parseQuery } from "../../src/search/query.js";
import { snippetsOf } from "../../src/search/snippet.js";
import { Stemmer } from "../../src/search/stemmer.js";
import { wordsOf } from "../../src/search/words.js";

const stemmer = new Stemmer();
afterAll(() => stemmer[Symbol.dispose]());

async function snippet(content: string, query: string) {
  const { terms } = await parseQuery(query, { now: 0, stemmer });
  const [made] = snippetsOf([content], terms, stemmer);
  if (made === undefined) throw new Error("There is one snippet for each text.");
  return { ...made, marked: made.matches.map(([start, end]) => made.text.slice(start, end)) };
}

test.each([
  ["She moved between two cities.", "city", ["cities"]],
  ["running, runner and Runs", "run", ["running", "Runs"]],
  ["À Zürich il fait froid", "zurich", ["Zürich"]],
  ["她昨天在东京塔吃了寿司", "东京塔", ["东京塔"]],
  ["她在东京", "京", ["京"]],
  ["call parseInvitation first", "invitation", ["Invitation"]],
  ["서울에서 친구를 만났다", "친구", ["친구"]],
])("[RX10] in %j, %j marks %j", async (content, query, expected) => {
  expect((await snippet(content, query)).marked).toEqual(expected);
});

test("[RX10] a long text shows the part with the most of the query", async () => {
  const filler = "Nothing of interest happened here at all. ".repeat(20);
  const { text, marked, matchedTerms } = await snippet(
    `Oscar. ${filler}We adopted Oscar, a guinea pig. ${filler}`,
    "Oscar the guinea pig and a parrot",
  );
  expect(marked).toEqual(["Oscar", "guinea", "pig"]);
  expect(matchedTerms).toEqual(["Oscar", "guinea", "pig"]);
  expect(text).toMatch(/^….*…$/);
  expect(text.length).toBeLessThanOrEqual(162);
});

test("[RX10] words are whole, and so are characters", async () => {
  const { text } = await snippet("wonderful ".repeat(60), "wonderful");
  expect(
    text
      .replaceAll("…", "")
      .trim()
      .split(" ")
      .every((word) => word === "wonderful"),
  ).toBe(true);
  const faces = await snippet("👩‍👩‍👧".repeat(100), "nothing");
  expect(faces.text.isWellFormed()).toBe(true);
});

test("[RX10] whatever the text, matches lie within it, in order and apart", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 400 });
  await fc.assert(
    fc.asyncProperty(text, fc.nat({ max: 300 }), async (content, from) => {
      const { text: shown, matches } = await snippet(content, content.slice(from, from + 20));
      expect(shown.isWellFormed()).toBe(true);
      expect(shown.length).toBeLessThanOrEqual(162);
      let last = -1;
      for (const [start, end] of matches) {
        expect(start).toBeGreaterThan(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(shown.length);
    }),
  );
});

test("[RX10] of several texts, each gets its own", async () => {
  const { terms } = await parseQuery("pet cities", { now: 0, stemmer });
  const made = snippetsOf(["A pet in a city", "nothing", "pets"], terms, stemmer);
  expect(made.map(({ matchedTerms }) => matchedTerms)).toEqual([["pet", "cities"], [], ["pet"]]);
});

test("[RX10] the best part is the one that trying every match finds", async () => {
  const word = fc.constantFrom("pet", "pets", "city", "of", "of", "x".repeat(130), "parseCity", "petCity");
  const words = fc.array(word, { minLength: 40, maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(words, fc.subarray(["pet", "city", "parse"], { minLength: 1 }), async (said, query) => {
      const line = said.map((one, index) => `${one} ${index}`).join(" ");
      const { text } = await snippet(line, query.join(" "));
      const start = startOfSnippet(line, bestByTrying(line, query));
      expect(text.replace(/^…/, "").slice(0, 60)).toBe(line.slice(start, start + 60));
    }),
  );
});

/** Some text stands before the best part, and a snippet at the end is as long as others. */
function startOfSnippet(line: string, best: number): number {
  const from = Math.max(0, Math.min(best - 40, line.length - 160));
  const space = line.indexOf(" ", from);
  if (from === 0) return 0;
  return space !== -1 && space < best ? space + 1 : Math.min(from, best);
}

const stemOf = (word: string): string => stemmer.stems([word])[0] ?? "";

/** The terms that lie in the 120 units from a place on. */
function termsWithin(line: string, query: readonly string[], from: number): ReadonlySet<string> {
  const stems = new Set(query.map(stemOf));
  const inside = wordsOf(line).filter(({ start, end }) => start >= from && end <= from + 120);
  return new Set(inside.map(({ text }) => stemOf(text)).filter((stem) => stems.has(stem)));
}

function bestByTrying(line: string, query: readonly string[]): number {
  const stems = new Set(query.map(stemOf));
  const matches = wordsOf(line).filter(({ text }) => stems.has(stemOf(text)));
  let [best, most] = [0, 0];
  for (const { start } of matches) {
    const count = matches.filter((other) => other.start >= start && other.end <= start + 120).length;
    const worth = termsWithin(line, query, start).size * 1_000 + count;
    if (worth > most) [best, most] = [start, worth];
  }
  return best;
}

/** As much as a memory may hold. Where time grows with the square of the matches, this takes minutes. */
test.each([
  ["a repeated word", "xy "],
  ["two words in turn", "xy xyz "],
  ["parts of identifiers", "xyXy "],
  ["empty lines", "xy\n\n\n"],
])("[RX14] a million units of %s have their snippet at once", async (_, piece) => {
  const { text, matchedTerms } = await snippet(piece.repeat(1_000_000 / piece.length), "xy and more");
  expect(text).toMatch(/^xy.*…$/);
  expect(matchedTerms).toEqual(["xy"]);
});

const LETTERS = "abcdeilmnorstuy";
const ENDINGS =
  "s es ies sses ed eed ing y ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize e ll ability";

test("[RX10] every word that has a term's stem is marked", async () => {
  const beginning = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 6 });
  const ending = fc.constantFrom("", ...ENDINGS.split(" "));
  const word = fc.tuple(beginning, ending, ending).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 2, maxLength: 12 }), async (words) => {
      const [term = ""] = words;
      const stems = stemmer.stems(words);
      const sameStem = words.filter((_, index) => stems[index] === stems[0]);
      const { marked } = await snippet(words.slice(0, 12).join(" ").slice(0, 160), `${term}`);
      const shown = words.join(" ").slice(0, 160).split(" ");
      for (const same of sameStem.filter((one) => shown.includes(one))) expect(marked).toContain(same);
    }),
  );
});
