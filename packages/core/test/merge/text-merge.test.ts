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

const separator = fc.constantFrom(" ", "\n", ". ", "\r\n\r\n", ", ", "。");

const wordAfter = ({ kind, side }: Edit, place: number, view: 0 | 1 | "merged"): string => {
  const applies = view === "merged" || view === side;
  if (kind === "keep" || !applies) return `w${place}`;
  if (kind === "replace") return `new${place}by${side}`;
  return kind === "remove" ? "" : `w${place} more${place}by${side}`;
};

test("[MG16] edits that do not touch each other all come through, and nothing else changes", () => {
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 30 }), separator, (edits, between) => {
      // A word that nobody edits stands between any two edited ones.
      const tell = (view: 0 | 1 | "merged"): string =>
        edits.map((each, place) => `${wordAfter(each, place, view)}${between}kept${place}`).join(between);
      const base = edits.map((_, place) => `w${place}${between}kept${place}`).join(between);
      expect(mergeTexts(base, [tell(0), tell(1)])).toBe(tell("merged"));
    }),
  );
});

test("[MG17] different edits of one word are a conflict, wherever it stands and whatever else merges", () => {
  fc.assert(
    fc.property(
      fc.array(edit, { minLength: 1, maxLength: 20 }),
      fc.nat(),
      separator,
      (edits, at, between) => {
        const contested = at % edits.length;
        const tell = (view: 0 | 1): string =>
          edits
            .map((each, place) => {
              const word = place === contested ? `mine${view}` : wordAfter(each, place, view);
              return `${word}${between}kept${place}`;
            })
            .join(between);
        const base = edits.map((_, place) => `w${place}${between}kept${place}`).join(between);
        expect(mergeTexts(base, [tell(0), tell(1)])).toBeUndefined();
      },
    ),
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
      Array.from({ length: regions }, (_, n) => `${first} ${"x ".repeat(300)}${last}\nkept ${n}\n`).join("");
    const merge = (regions: number): string | undefined =>
      mergeTexts(tell(regions, "a", "b"), [tell(regions, "A", "b"), tell(regions, "a", "B")]);
    expect(merge(1)).toBe(tell(1, "A", "B"));
    expect(merge(20)).toBeUndefined();
  });
});
