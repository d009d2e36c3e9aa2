/** What recall shows: the words that were found, the marks, and why something is there. */

import type { RecalledMemory } from "@cambium/client";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { highlightedLines } from "../../src/cli/render/highlighted.js";
import { recalledText } from "../../src/cli/render/recalled.js";
import { displayWidth, lineRanges } from "../../src/cli/render/terminal-text.js";
import { by, colourStyle, HOUR, memory, NOW, plainStyle, RELEASE, record, SPACE } from "./fixtures.js";

const BOLD = "\u001b[1m";
const view = { scores: false, byMeaning: false, hasQuery: true };

function recalled(overrides: Partial<RecalledMemory> = {}): RecalledMemory {
  const snippet = "Prefers tea in the morning";
  return { ...memory(), snippet, highlights: [[8, 11]], matched: ["tea"], score: 1.25, ...overrides };
}

/** What stands out, piece by piece. */
const bold = (text: string): readonly string[] =>
  text.split(BOLD).flatMap((piece, index) => (index === 0 ? [] : (piece.split("\u001b", 1)[0] ?? "")));

describe("recall", () => {
  test("[CL14] shows labels, times, versions and marks, and folds what is alike into one line", () => {
    const conflict = { field: "content" as const, base: null, values: [] };
    const found = [
      recalled({ category: "food", tags: ["drink", "habit"], version: 2, versions: 3, alike: [RELEASE] }),
      recalled({ id: RELEASE, conflicts: [conflict], occurredAt: NOW - 24 * HOUR }),
      recalled({ id: SPACE as never, incomplete: [record("1")], deleted: true }),
    ];
    expect(recalledText(found, { ...view, scores: true }, plainStyle)).toMatchInlineSnapshot(`
      "0198c2a4-7d3e  food drink habit  2 hours ago, version 2 (3 in all, some written side by side), score 1.25
        Prefers tea in the morning
        and 1 alike: 0198c2a4-81b0

      0198c2a4-81b0  happened 1 day ago, score 1.25  ! in conflict: content
        Prefers tea in the morning

      0198c2a4-0000  2 hours ago, score 1.25  ? not all of it has arrived  × forgotten
        Prefers tea in the morning"
    `);
    expect(recalledText(found, view, plainStyle)).not.toContain("score");
  });

  test("[CL14] what stands out is what the library says, not what looks like it", () => {
    const text = recalledText([recalled({ snippet: "tea, Tea and teapots", highlights: [[5, 8]] })], view, {
      ...colourStyle,
    });
    expect(bold(text)).toEqual(["Tea"]);
  });

  test("[CL14] says why something is there in which no word was found", () => {
    const why = (overrides: Partial<RecalledMemory>, byMeaning: boolean): string =>
      recalledText(
        [recalled({ highlights: [], matched: [], ...overrides })],
        { ...view, byMeaning },
        plainStyle,
      )
        .split("\n")
        .at(-1)
        ?.trim() ?? "";
    const source = { kind: "conversation", conversation: "c1" };
    expect(why({ source }, false)).toBe("none of these words: found by what stands around it in its source");
    expect(why({}, true)).toBe("none of these words: found by its meaning");
    expect(why({ source }, true)).toContain("its meaning, or by what stands around it");
    expect(why({ matched: ["drink"] }, true)).toBe(
      "matched in its aliases, tags, category, links or source: drink",
    );
    const labels = { aliases: ["Earl Grey"], tags: ["drink"], category: "habit" };
    expect(why({ ...labels, matched: ["grey", "drink"] }, true)).toBe(
      "matched: also called “Earl Grey”, tag “drink”",
    );
    expect(why({ ...labels, matched: ["tea", "habit"], highlights: [[8, 11]] }, true)).toContain(
      "category “habit”",
    );
    expect(why({ by: by("cli"), matched: ["tea"], highlights: [[8, 11]] }, true)).not.toContain("matched");
  });

  test("[CL7] a snippet cannot steer the terminal, and its ranges still hold", () => {
    const snippet = "\u001b[2J tea\nfor\r\ntwo";
    const lines = highlightedLines(snippet, [[5, 8]], 2, { ...colourStyle, columns: undefined });
    expect(bold(lines.join("\n"))).toEqual(["tea"]);
    expect(lines.join("").replaceAll(BOLD, "").replaceAll("\u001b[22m", "")).toBe("  ␛[2J tea for  two");
  });
});

describe("lines", () => {
  test("[CL9] text without spaces is broken at the margin, and its matches stay marked", () => {
    const text = "茶は朝に飲むのが好きだと言っていたので、次の会議では茶を用意する";
    const lines = highlightedLines(
      text,
      [
        [0, 1],
        [19, 21],
      ],
      2,
      { ...colourStyle, columns: 42 },
    );
    expect(lines.map((line) => displayWidth(line))).toEqual([42, 26]);
    expect(bold(lines.join("\n")).join("|")).toBe(`茶|${text[19]}|${text[20]}`);
  });

  test("[CL9] whatever the text, no line is too wide, and none of it is lost", () => {
    const pieces = fc.constantFrom("tea", " ", "茶", "👩‍💻", "e\u0301", "a".repeat(30), "한국어", "-");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), fc.integer({ min: 2, max: 50 }), (words, columns) => {
        const text = words.join("").replace(/ +/g, " ").trim();
        const lines = lineRanges(text, columns).map(([start, end]) => text.slice(start, end));
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      }),
    );
  });
});
