import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FREQUENCY_MARKS, WordCounter } from "../../src/search/word-frequency.js";

/** What stands in the text behind each mark. */
function markedIn(text: string): Record<number, readonly string[]> {
  const words = text.split(" ");
  return Object.fromEntries(
    FREQUENCY_MARKS.map(({ mark, least }) => [
      least,
      words.flatMap((word) => (word.startsWith(mark) ? word.slice(mark.length).toLowerCase() : [])).sort(),
    ]),
  );
}

describe("words that are said often", () => {
  test("[RX11] stand behind a mark for every frequency they reach, weights counted", () => {
    const word = fc.constantFrom("a", "Lake", "lake", "été", "x9", "湖水");
    const part = fc.record({
      text: fc.array(word, { maxLength: 9 }).map((words) => words.join(" ")),
      weight: fc.constantFrom(1, 2, 3),
    });
    const counter = new WordCounter();
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        const weights = new Map<string, number>();
        for (const { text, weight } of parts) {
          for (const said of text.toLowerCase().split(" ").filter(Boolean))
            weights.set(said, (weights.get(said) ?? 0) + weight);
        }
        const expected = FREQUENCY_MARKS.map(({ least }) => [
          least,
          [...weights].flatMap(([said, weight]) => (weight >= least ? said : [])).sort(),
        ]);
        const { text, words } = counter.count(parts);
        expect(markedIn(text)).toEqual(Object.fromEntries(expected));
        expect(words).toBe(parts.flatMap((one) => one.text.split(" ").filter(Boolean)).length);
      }),
    );
  });

  test("[RX11] are counted in texts of any length, and alike by a counter that counted others before", () => {
    const long = Array.from({ length: 9_000 }, (_, index) => `w${index % 6_000}`).join(" ");
    const counter = new WordCounter();
    counter.count([{ text: "Lake, lake.", weight: 1 }]);
    const counted = counter.count([{ text: long, weight: 1 }]);
    expect(counted).toEqual(new WordCounter().count([{ text: long, weight: 1 }]));
    expect(markedIn(counted.text)[2]).toHaveLength(3_000);
    expect(counter.count([{ text: "lake — “Lake”", weight: 1 }]).text).toBe("lake — “Lake” qz2xlake");
  });
});
