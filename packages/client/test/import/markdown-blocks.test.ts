import fc from "fast-check";
import { expect, test } from "vitest";
import { readFrontMatter } from "../../src/import/front-matter.js";
import { type Block, descendants, readBlocks } from "../../src/import/markdown-blocks.js";

/** What decides whether a text may be cut somewhere. */
const bits = [
  ..."abABC [](){}<>#=-*+_`~>:!&\\'\"1.)\t\n\r",
  ...[
    "\n\n",
    "\n\n\n",
    "  \n",
    "\r\n",
    "    ",
    "\n    a",
    "\n- a",
    "\n  b",
    "\n1. a",
    "\n> a",
    "\n# a",
    "\na\n=\n",
  ],
  ...["\n---\n", "\n```\n", "\n~~~\n", "\n<!--", "-->", "\n<div>\n", "</div>", "\n***\n", "\n\n\ufeff"],
  ...["[a]", "[b][a]", "[A  b]", "\n[a]: c", "\n\n[A b]: <d>", "\n[a]: e\n'f'\n", "\n\n[b]:\nc\n"],
];
const texts = fc.array(fc.constantFrom(...bits), { maxLength: 40 }).map((parts) => parts.join(""));

/** The parser lets an underlined heading begin at definitions above it, if both are in one piece. */
const outline = (blocks: readonly Block[]): readonly unknown[] =>
  [...descendants(blocks)].map((node) => [
    node.type,
    node.type === "heading" ? undefined : node.position?.start.offset,
    node.position?.end.offset,
    "url" in node && node.type !== "definition" ? node.url : undefined,
  ]);

test("[IM5] a text that is parsed in pieces has the blocks of the whole", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 30 }), (text, length) => {
      const [pieces, whole] = [readBlocks(text, length), readBlocks(text, Number.MAX_SAFE_INTEGER)];
      expect(outline(pieces.blocks)).toEqual(outline(whole.blocks));
      expect([...pieces.definitions]).toEqual([...whole.definitions]);
    }),
    { numRuns: 1_000 },
  );
});

/** A ratio near two says that the time grows with the length, one near four that it grows with its square. */
function timeRatio(of: (length: number) => void, length: number): number {
  const timeOf = (size: number): number => {
    const before = process.cpuUsage();
    of(size);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  timeOf(length);
  const ratios = [1, 2].map(() => timeOf(length * 2) / timeOf(length));
  return Math.min(...ratios);
}

test("[IM5] a text of underlined headings takes a time that grows with its length", () => {
  expect(timeRatio((length) => readBlocks("a\n=\n".repeat(length)), 1_500)).toBeLessThan(3);
});

test("[IM5] spaces in front matter take a time that grows with their number", () => {
  const ratio = timeRatio(
    (length) => readFrontMatter(`---\ntags: [a${" ".repeat(length)}}]\n---\n`),
    100_000,
  );
  expect(ratio).toBeLessThan(3);
});
