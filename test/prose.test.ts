/** How prose is filled, and which lines are too long. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { longLines, wrapProse } from "../scripts/prose.js";

const LONG = "This sentence is far too long for one line of thirty.";
const fill = (page: string): string => wrapProse(page, { width: 30 });

test("[DO9] a long line of a paragraph, an item, a quote or a heading is found, with its number", () => {
  const page = `# Short\n\n${LONG}\n\n- ${LONG}\n\n> ${LONG}\n\n## ${LONG}\n`;
  expect(longLines(page, 30)).toEqual([
    { line: 3, length: 53 },
    { line: 5, length: 55 },
    { line: 7, length: 55 },
    { line: 9, length: 56 },
  ]);
  expect(longLines(wrapProse(page, { width: 30 }), 30)).toEqual([{ line: 12, length: 56 }]);
});

test.each([
  ["a table", `| a | b |\n|---|---|\n| ${LONG} | x |`],
  ["code in a fence", `\`\`\`sh\n${LONG}\n\`\`\``],
  ["code in an item", `1. Run:\n\n   \`\`\`sh\n   ${LONG}\n   \`\`\``],
  ["indented code", `So:\n\n    ${LONG}`],
  ["a heading with a link", "## The page that [says how it is](docs/how-it-is.md)"],
  ["a link definition", `[page]: https://example.org/${"x".repeat(30)}`],
  ["a comment", `<!-- ${LONG}\n${LONG} -->`],
  ["one address", `https://example.org/${"x".repeat(30)}`],
  ["one code span", `\`${LONG}\``],
  ["one link", `[${LONG}](page.md)`],
])("[DO9] %s may be long, and stays as it is", (_, page) => {
  expect(longLines(page, 30)).toEqual([]);
  expect(wrapProse(page, { width: 30, all: true })).toBe(page);
});

test("[DO9] filling keeps markers, code spans and links whole", () => {
  expect(fill(`- ${LONG}`)).toBe("- This sentence is far too\n  long for one line of thirty.");
  expect(fill(`> ${LONG}`)).toBe("> This sentence is far too\n> long for one line of thirty.");
  expect(fill(`  2. ${LONG}`)).toBe("  2. This sentence is far too\n     long for one line of\n     thirty.");
  expect(fill("Some words that go before `a span`, and then [a link](page.md).")).toBe(
    "Some words that go before\n`a span`, and then\n[a link](page.md).",
  );
});

test("[DO9] a comment after an item stays whole", () => {
  expect(fill("- An item is short. <!-- test: AB1 AB2 -->")).toBe(
    "- An item is short.\n  <!-- test: AB1 AB2 -->",
  );
});

test("[DO9] no line begins with what would begin a list, a heading or a quote", () => {
  expect(fill("A version is then one number 1 + the longest path, or 2. of it.")).toBe(
    "A version is then one number\n1 + the longest path, or 2. of\nit.",
  );
  expect(fill("What is asked for is a number - or none, or more > 3.")).toBe(
    "What is asked for is a\nnumber - or none, or more > 3.",
  );
});

test("[DO9] paragraphs that fit stay as they were broken, unless all are filled", () => {
  const page = "One sentence.\nAnother.\n";
  expect(fill(page)).toBe(page);
  expect(wrapProse(page, { all: true })).toBe("One sentence. Another.\n");
});

const word = fc.oneof(
  fc.stringMatching(/^[a-z]{1,12}$/),
  fc.constantFrom("-", "+", "1.", "#", ">", "`a b`", "[a b](c.md)", "**bold**", "|", "짧은", "<b>"),
);

test("[DO9] filling twice is filling once, changes no word, and leaves nothing to mend", () => {
  const paragraph = fc
    .array(word, { minLength: 1, maxLength: 40 })
    .map((words) => `Words ${words.join(" ")}`);
  const page = fc
    .array(fc.tuple(fc.constantFrom("", "- ", "1. "), paragraph), { maxLength: 5 })
    .map((blocks) => blocks.map(([marker, text]) => marker + text).join("\n\n"));
  fc.assert(
    fc.property(page, (text) => {
      const once = wrapProse(text, { width: 40 });
      expect(wrapProse(once, { width: 40, all: true })).toBe(once);
      expect(once.split(/\s+/)).toEqual(text.split(/\s+/));
      expect(longLines(once, 40)).toEqual([]);
    }),
  );
});
