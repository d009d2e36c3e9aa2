/** Which word was meant by one that is spelt wrongly. */
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { isCommonStem } from "../../src/search/common-words.js";
import { FullText } from "../../src/search/full-text.js";
import {
  foldedWord,
  type KnownWord,
  leastSlips,
  likeliestWord,
  reachOf,
  slipsBetween,
} from "../../src/search/spelling.js";
import { Stemmer } from "../../src/search/stemmer.js";
import { TEXT_TABLES_SCHEMA } from "../../src/search/text-tables.js";

const stemmer = new Stemmer();
afterAll(() => stemmer[Symbol.dispose]());

const spelt = (text: string) => ({ word: foldedWord(text), stem: stemmer.stems([text])[0] ?? "" });
const knownAs = (text: string, rows = 1): KnownWord => ({ ...spelt(text), rows });
const plain = (word: string) => ({ word, stem: word });

/** All that one slip makes of a word, letter by letter; in short words, no other letter. */
function withOneSlip(word: string, alphabet: string): ReadonlySet<string> {
  const made = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after !== "") made.add(before + after.slice(1));
    if (after.length > 1) made.add(`${before}${after[1]}${after[0]}${after.slice(2)}`);
    for (const letter of alphabet) {
      made.add(before + letter + after);
      if (after !== "" && word.length >= 6) made.add(before + letter + after.slice(1));
    }
  }
  made.delete(word);
  return made;
}

const ALPHABET = "abc";
const word = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...ALPHABET), minLength, maxLength });

describe("slips", () => {
  test("[RK16] of words of 4 to 7 letters, one is none too many, except where another word begins", () => {
    fc.assert(
      fc.property(word(1, 7), word(1, 9), (written, known) => {
        fc.pre(written !== known);
        const isSwapped = written[0] === known[1] && written[1] === known[0];
        const isNear =
          written.length >= 4 &&
          withOneSlip(written, ALPHABET).has(known) &&
          (written[0] === known[0] || isSwapped);
        expect([written, known, slipsBetween(plain(written), plain(known))]).toEqual([
          ...[written, known],
          isNear ? 1 : undefined,
        ]);
      }),
      { numRuns: 2_000 },
    );
  });

  test("[RK16] of longer words, one anywhere, and two behind the first two letters", () => {
    fc.assert(
      fc.property(word(8, 9), fc.nat(), fc.nat(), (written, first, second) => {
        const once = [...withOneSlip(written, ALPHABET)];
        const one = once[first % once.length] as string;
        expect(slipsBetween(plain(written), plain(one))).toBe(1);
        const twice = [...withOneSlip(one, ALPHABET)];
        const two = twice[second % twice.length] as string;
        fc.pre(two !== written && !once.includes(two));
        const expected = written.slice(0, 2) === two.slice(0, 2) ? 2 : undefined;
        expect([two, slipsBetween(plain(written), plain(two))]).toEqual([two, expected]);
      }),
    );
  });

  test.each([
    ["labtop", "laptop"],
    ["waranty", "warranty"],
    ["waranties", "warranty"],
    ["Feliks", "Felix"],
    ["alergy", "allergies"],
    ["calender", "calendar"],
    ["restaraunt", "restaurant"],
    ["definately", "definitely"],
    ["recieved", "received"],
    ["alptop", "laptop"],
    ["Garantei", "Garantie"],
    ["Strasse", "Straße"],
    ["Muller", "Müller"],
    ["Lufthanza", "Lufthansa"],
    ["Kuehlschrank", "Kühlschrank"],
    ["alergia", "alérgia"],
    ["гарантея", "гарантия"],
  ])("[RK16] %s is %s", (written, meant) => {
    expect(slipsBetween(spelt(written), knownAs(meant))).toBeGreaterThanOrEqual(0);
    expect(leastSlips(spelt(written), knownAs(meant).stem)).toBeGreaterThanOrEqual(0);
  });

  test.each([
    ["host", "lost"],
    ["band", "bank"],
    ["v1beta", "v2beta"],
    ["room12", "room13"],
    ["cat", "cats"],
    ["considering", "confidence"],
    ["painting", "point"],
    ["보증서류", "보증서루"],
  ])("[RK16] %s is not %s", (written, other) => {
    expect(slipsBetween(spelt(written), knownAs(other))).toBe(undefined);
  });

  test("[RK16] common words are no slips, in each of their forms", () => {
    const areCommon = (words: string) =>
      words.split(" ").map((one) => isCommonStem(spelt(one).stem, stemmer));
    expect(areCommon("store stores writing considered mother fathers")).toEqual(Array(6).fill(true));
    expect(areCommon("labtop waranty alergy feliks")).toEqual(Array(4).fill(false));
  });
});

describe("the word that was meant", () => {
  test("[RK16] has the fewest slips; of several, most say it; then the alphabet decides", () => {
    const meant = (written: string, ...known: readonly KnownWord[]) =>
      likeliestWord(spelt(written), known)?.word;
    expect(meant("lanternn", knownAs("lanterman", 9), knownAs("lantern", 1))).toBe("lantern");
    expect(meant("lanterm", knownAs("lantera", 2), knownAs("lantern", 3))).toBe("lantern");
    expect(meant("waranty", knownAs("warranties", 3), knownAs("warranty", 3))).toBe("warranty"); // one stem
    expect(meant("lanterm", knownAs("lantern", 3), knownAs("lantera", 3))).toBe("lantera");
    expect(meant("lanterm", knownAs("lantera", 3), knownAs("lantern", 3))).toBe("lantera");
    expect(meant("lanterm", knownAs("lentil", 3))).toBe(undefined);
  });

  test("[RK16] is within reach, wherever it stands in a vocabulary", () => {
    fc.assert(
      fc.property(fc.array(word(3, 10), { minLength: 1, maxLength: 30 }), word(4, 9), (texts, written) => {
        using database = new DatabaseSync(":memory:");
        database.exec(TEXT_TABLES_SCHEMA);
        const text = new FullText(database);
        for (const [form, content] of texts.entries())
          text.add(form, { content, tags: [], aliases: [], links: [] });
        const one = spelt(written);
        const near = texts.filter((other) => slipsBetween(one, spelt(other)) !== undefined);
        const reached = text.vocabulary.within(reachOf(one), { past: false });
        for (const other of near) {
          expect([...reached.keys()]).toContain(spelt(other).stem);
          expect(leastSlips(one, spelt(other).stem)).not.toBe(undefined);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test("[RK16] a vocabulary counts what main shows now, and tells neither marks nor what was removed", () => {
  using database = new DatabaseSync(":memory:");
  database.exec(TEXT_TABLES_SCHEMA);
  const text = new FullText(database);
  const fields = (content: string) => ({ content, tags: [], aliases: [], links: [] });
  text.add(1, fields("laptop laptop laptop"));
  text.add(2, fields("laptop lapwing"));
  text.add(3, fields("laptop lapel"), "past_text");
  text.add(4, fields("lappet"));
  text.remove(4, fields("lappet"));
  const reach = { beginning: "la", shortest: 4, longest: 9, exactly: ["qz2xlaptop", "elsewhere"] };
  const known = (past: boolean) => Object.fromEntries(text.vocabulary.within(reach, { past }));
  expect(known(false)).toEqual({ laptop: 2, lapw: 1 });
  expect(known(true)).toEqual({ laptop: 2, lapw: 1, lapel: 0 });
  expect(text.vocabulary.holders("laptop", 1, { past: false })).toEqual([2]);
  expect(text.vocabulary.holders("laptop", 5, { past: true })).toEqual([2, 1, 3]);
});
