import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeTexts } from "../../src/merge/text-merge.js";

describe("three-way laws", () => {
  const words = fc.array(fc.constantFrom("a", "b", "c", " ", ". ", "\n", "茶", "1"), { maxLength: 14 });
  const text = words.map((parts) => parts.join(""));

  test("[MG15] a side that changed nothing leaves the other as it is", () => {
    fc.assert(
      fc.property(text, text, (base, side) => {
        expect(mergeTexts(base, [side])).toBe(side);
        expect(mergeTexts(base, [side, side])).toBe(side);
        expect(mergeTexts(base, [base, side])).toBe(side);
      }),
    );
  });

  test("[MG15] the order of the sides does not matter", () => {
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 2, maxLength: 4 }), (base, sides) => {
        expect(mergeTexts(base, sides.toReversed())).toBe(mergeTexts(base, sides));
        expect(mergeTexts(base, [...sides, ...sides])).toBe(mergeTexts(base, sides));
      }),
    );
  });

  test("[MG15] a merge is made of whole characters", () => {
    const odd = fc.array(fc.constantFrom("👍", "👍🏽", "𠮷", "か\u3099", " ", "a", "."), { maxLength: 8 });
    fc.assert(
      fc.property(odd, odd, odd, (base, a, b) => {
        const merged = mergeTexts(base.join(""), [a.join(""), b.join("")]);
        expect(merged?.isWellFormed() ?? true).toBe(true);
      }),
    );
  });
});

/**
 * The model: a text is a row of words that occur once, and each side replaces, removes or inserts at
 * places of its own. Then nobody can doubt what the merge has to be.
 */
interface Edit {
  readonly kind: "replace" | "remove" | "insert" | "keep";
  readonly side: 0 | 1;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom("replace", "remove", "insert", "keep", "keep"),
  side: fc.constantFrom(0, 1),
});
const edits = fc.array(edit, { minLength: 1, maxLength: 30 });

const ENDING = fc.constantFrom(":\n", ".\n", "\n\n", ". ", "! ", "; ", "\r\n\r\n", "\n- ", "。");
const GOING_ON = fc.constantFrom(
  " ",
  "\n",
  ", ",
  ": ",
  " (",
  " Mrs. ",
  " &amp; ",
  "、",
  " approx. 9 ",
  " on 3. ",
  "-\t",
);

const wordAfter = ({ kind, side }: Edit, place: number, view: 0 | 1 | "merged"): string => {
  const applies = view === "merged" || view === side;
  if (kind === "keep" || !applies) return `Word${place}`;
  if (kind === "replace") return `New${place}by${side}`;
  return kind === "remove" ? "" : `Word${place} more${place}by${side}`;
};

/** A word that nobody edits stands between any two edited ones. */
const tell = (all: readonly Edit[], between: string, view: 0 | 1 | "merged"): string =>
  all.map((each, place) => `${wordAfter(each, place, view)}${between}kept${place}`).join(between);
const untouched = (all: readonly Edit[], between: string): string =>
  all.map((_, place) => `Word${place}${between}kept${place}`).join(between);

test("[MG16] edits of different statements all come through, and nothing else changes", () => {
  fc.assert(
    fc.property(edits, ENDING, (all, between) => {
      // What ends a statement is not taken for the stop of an abbreviation: a capital follows.
      const big = (text: string): string => text.replaceAll("kept", "Kept");
      const sides = [big(tell(all, between, 0)), big(tell(all, between, 1))];
      expect(mergeTexts(big(untouched(all, between)), sides)).toBe(big(tell(all, between, "merged")));
    }),
  );
});

test("[MG17] edits of one statement are a conflict, however many words stand between them", () => {
  fc.assert(
    fc.property(edits, GOING_ON, (all, between) => {
      const sides = [tell(all, between, 0), tell(all, between, 1)];
      const editors = new Set(all.filter(({ kind }) => kind !== "keep").map(({ side }) => side));
      const merged = mergeTexts(untouched(all, between), sides);
      expect(merged).toBe(editors.size === 2 ? undefined : tell(all, between, "merged"));
    }),
  );
});

test("[MG17] different edits of one word are a conflict, wherever it stands and whatever else merges", () => {
  fc.assert(
    fc.property(edits, fc.nat(), fc.oneof(ENDING, GOING_ON), (all, at, between) => {
      const contested = at % all.length;
      const side = (view: 0 | 1): string =>
        all
          .map((each, place) => {
            const word = place === contested ? `mine${view}` : wordAfter(each, place, view);
            return `${word}${between}kept${place}`;
          })
          .join(between);
      expect(mergeTexts(untouched(all, between), [side(0), side(1)])).toBeUndefined();
    }),
  );
});

test("[MG17] a price of which one side changed the amount and the other the currency", () => {
  const sides = ["The room costs 950 euro a night.", "The room costs 900 dollars a night."];
  expect(mergeTexts("The room costs 900 euro a night.", sides)).toBeUndefined();
});

test.each([
  ["both ends of a statement", "pay 900 euro", "never pay 900 euro", "pay 900 euro to Bo"],
  ["a sign", "Use C# on Windows", "Use C on Windows", "Use C# on Linux"],
  ["brackets", "It is (900) euro", "It is 900 euro", "It is (900) dollars"],
  ["a stop in a number", "It is .50 euro", "It is 50 euro", "It is .50 dollars"],
  ["a star", "SELECT * FROM old", "SELECT FROM old", "SELECT * FROM new"],
  [
    "prose in short lines",
    "The budget for 2026 is\n900 euro",
    "The budget for 2027 is\n900 euro",
    "The budget for 2026 is\n950 euro",
  ],
  ["a title", "For Mrs. Bo 900 euro", "For Mrs. Bo 950 euro", "Not for Mrs. Bo 900 euro"],
  ["a month", "Due on 5 Jan. Monday", "Due on 6 Jan. Monday", "Due on 5 Jan. Tuesday"],
])("[MG17] %s", (_, base, a, b) => {
  expect(mergeTexts(base, [a, b])).toBeUndefined();
});

test("[MG17] a merge says no sentence that none of the sides wrote", () => {
  const sentence = fc
    .array(fc.constantFrom("red", "blue", "nine", "ten", "here", "there"), { minLength: 2, maxLength: 5 })
    .map((words) => `They were ${words.join(" ")}. `);
  const text = fc.array(sentence, { minLength: 1, maxLength: 4 });
  const sentencesOf = (text: string): readonly string[] => text.match(/They were [^.]*\. /gu) ?? [];
  fc.assert(
    fc.property(text, text, text, (base, a, b) => {
      const [before, ...sides] = [base, a, b].map((sentences) => sentences.join("")) as [
        string,
        string,
        string,
      ];
      const written = new Set([before, ...sides].flatMap(sentencesOf));
      for (const told of sentencesOf(mergeTexts(before, sides) ?? "")) expect(written).toContain(told);
    }),
    { numRuns: 2_000 },
  );
});

describe("bounds", () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, n) => `Line ${n}.\n`).join("");

  test("[MG18] long texts merge", () => {
    const base = lines(8_000);
    expect(mergeTexts(base, [`Start\n${base}`, `${base}End\n`])).toBe(`Start\n${base}End\n`);
  });

  test("[MG18] what would take too long counts as a conflict", () => {
    const base = "\n".repeat(1_000) + "same\n".repeat(200_000);
    expect(mergeTexts(base, [`a${base}`, `${base}b`])).toBeUndefined();
  });

  test("[MG18] the bound holds for the merge as a whole, not for each of its regions", () => {
    const tell = (regions: number, first: string, last: string): string =>
      Array.from({ length: regions }, (_, n) => `${first}; ${"x ".repeat(300)}; ${last}\nkept ${n}\n`).join(
        "",
      );
    const merge = (regions: number): string | undefined =>
      mergeTexts(tell(regions, "a", "b"), [tell(regions, "A", "b"), tell(regions, "a", "B")]);
    expect(merge(1)).toBe(tell(1, "A", "B"));
    expect(merge(20)).toBeUndefined();
  });
});
