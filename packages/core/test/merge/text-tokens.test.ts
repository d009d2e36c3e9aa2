import fc from "fast-check";
import { expect, test } from "vitest";
import { splitTokens, TOKEN_LEVELS } from "../../src/merge/text-tokens.js";

test("[MG14] a line keeps its line end and the empty lines after it", () => {
  expect(splitTokens("# Title\r\n\r\nOne\n  two", "lines")).toEqual(["# Title\r\n\r\n", "One\n", "  two"]);
});

test("[MG14] a sentence ends after a stop and the space that follows", () => {
  expect(splitTokens('It is v3.14 now. "Is it?" Yes...\nGood', "sentences")).toEqual([
    "It is v3.14 now. ",
    '"Is it?" ',
    "Yes...\n",
    "Good",
  ]);
  expect(splitTokens("我喜欢茶。你呢?好!", "sentences")).toEqual(["我喜欢茶。", "你呢?好!"]);
});

test.each([
  ["English", "Don't panic, it's 10:30!", ["Don't", " ", "panic", ",", " ", "it's", " ", "10:30", "!"]],
  [
    "dates, paths, addresses",
    "on 2026-08-01 see a/b.ts",
    ["on", " ", "2026-08-01", " ", "see", " ", "a/b.ts"],
  ],
  [
    "code",
    "if (a_b>=1) {\n\tgo();\r\n}",
    ["if", " ", "(", "a_b", ">", "=", "1", ")", " ", "{", "\n", "\t", "go", "(", ")", ";", "\r\n", "}"],
  ],
  ["Markdown", "- **Bold**: `x`", ["-", " ", "*", "*", "Bold", "*", "*", ":", " ", "`", "x", "`"]],
  ["Chinese", "我喝茶。", ["我", "喝", "茶", "。"]],
  ["Japanese", "コーヒーが3杯", ["コ", "ー", "ヒ", "ー", "が", "3", "杯"]],
  ["Japanese, voicing mark apart", "か\u3099く", ["か\u3099", "く"]],
  ["Korean", "나는 커피를 마신다.", ["나는", " ", "커피를", " ", "마신다", "."]],
  ["accents apart", "cafe\u0301 ñandú", ["cafe\u0301", " ", "ñandú"]],
  ["emoji with joiners", "ok 👩‍💻👍🏽!", ["ok", " ", "👩‍💻👍🏽", "!"]],
  ["rare ideographs", "𠮷野", ["𠮷", "野"]],
])("[MG14] atoms: %s", (_, text, atoms) => {
  expect(splitTokens(text, "atoms")).toEqual(atoms);
});

test("[MG14] words keep the space after them", () => {
  expect(splitTokens("  We met,\nthen  left", "words")).toEqual([
    "  ",
    "We ",
    "met",
    ",\n",
    "then  ",
    "left",
  ]);
});

const PIECES = [
  "a",
  "I'm",
  "1.5",
  " ",
  "  ",
  "\n",
  "\r\n",
  "\r",
  "\t",
  ".",
  "! ",
  "。",
  "「",
  "茶",
  "が\u3099",
  "한",
  "👍🏽",
  "\u2028",
  "\u0000",
  "-",
];
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join("")),
);

test.each(TOKEN_LEVELS)("[MG14] tokens put together are the text: %s", (level) => {
  fc.assert(
    fc.property(anyText, (text) => {
      const tokens = splitTokens(text, level);
      expect(tokens.join("")).toBe(text);
      for (const token of tokens) expect(token.isWellFormed() && token !== "").toBe(true);
    }),
  );
});

test("[MG14] splitting a megabyte of anything takes time in proportion", () => {
  const hardest = [". ", '."', "a-", "。", "a.b.", ".'", "\r", " ", "か\u3099"];
  for (const piece of hardest) {
    const text = piece.repeat(1_000_000 / piece.length);
    for (const level of TOKEN_LEVELS) expect(splitTokens(text, level).length).toBeGreaterThan(0);
  }
}, 20_000);
