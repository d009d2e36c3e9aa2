import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type WordChange, wordChanges } from "../../src/versions/word-changes.js";

const sideOf = (changes: readonly WordChange[], op: "removed" | "added"): string =>
  changes.map((change) => (change.op === "same" || change.op === op ? change.text : "")).join("");

const marked = (before: string, after: string): string =>
  wordChanges(before, after)
    .map(({ op, text }) => (op === "same" ? text : op === "removed" ? `[-${text}-]` : `{+${text}+}`))
    .join("");

const piece = fc.constantFrom(
  "the",
  "tea",
  " ",
  "\n",
  ". ",
  "예산",
  "五月",
  "预算",
  ", ",
  "50M",
  "a-b",
  "🙂",
  "\u0085",
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

describe("words of two texts", () => {
  test("[VN3] what stayed and what went are the text before; what stayed and what came, the text after", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const changes = wordChanges(before, after);
        expect(sideOf(changes, "removed")).toBe(before);
        expect(sideOf(changes, "added")).toBe(after);
        if (before === after) expect(changes.every(({ op }) => op === "same")).toBe(true);
      }),
    );
  });

  test("[VN3] words are compared whole, in languages without spaces, too", () => {
    expect(marked("The budget is 50M for Jan.", "The budget is 60M for Jan.")).toBe(
      "The budget is [-50M-]{+60M+} for Jan.",
    );
    expect(marked("我们在五月开会", "我们在六月开会")).toBe("我们在[-五月-]{+六月+}开会");
    expect(marked("회의는 서울에서 한다", "회의는 부산에서 한다")).toBe(
      "회의는 [-서울에서-]{+부산에서+} 한다",
    );
  });

  test.each(["+", "$ ", "xy ", "аб漢", "五月 "])("[VN3] an edit in much text of %j is found", (piece) => {
    const before = piece.repeat(250_000 / piece.length);
    const changes = wordChanges(before, `${before} Basel`);
    expect(sideOf(changes, "removed")).toBe(before);
    expect(sideOf(changes, "added")).toBe(`${before} Basel`);
  });

  test("[VN3] what changed only in its space is not shown as a changed word", () => {
    expect(marked("one two", "one\ntwo")).toBe("one[- -]{+\n+}two");
  });

  test("[VN3] long texts that share little are compared in bounded time", () => {
    const [before, after] = ["a b ".repeat(100_000), "b c ".repeat(100_000)];
    expect(sideOf(wordChanges(before, after), "added")).toBe(after);
  });
});
