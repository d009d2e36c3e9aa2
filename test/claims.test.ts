/** The claim audit finds promises that name no test, and names of tests that do not exist. */
import { expect, test } from "vitest";
import { auditPage, type Known, rulesIn } from "../scripts/claim-audit.ts";

const known: Known = {
  rules: new Set(rulesIn("- **AB1** One.\n- **AB2** Two,\n  wrapped.\n")),
  benches: new Set(["reference"]),
  checks: new Set(["lint and format"]),
  read: (path) => (path === "test/x.test.ts" ? 'test("[AB1] counts to three", () => {});' : undefined),
};
const problems = (...lines: readonly string[]): readonly string[] =>
  auditPage(lines.join("\n"), known).map(({ line, problem }) => `${line}: ${problem}`);

test("[DO8] a paragraph, a list item and a table need a reference each", () => {
  expect(problems("# Page", "", "It is safe.", "", "- It is fast,", "  always.", "- It is small.")).toEqual([
    "3: nothing carries this: It is safe.",
    "5: nothing carries this: - It is fast,",
    "7: nothing carries this: - It is small.",
  ]);
  expect(problems("| a | b |", "|---|---|", "| 1 | 2 |")).toEqual(["1: nothing carries this: | a | b |"]);
});

test("[DO8] what follows a list is a block of its own, what is indented belongs to its item", () => {
  const page = [
    "- One. <!-- test: AB1 -->",
    "",
    "  Still one.",
    "",
    "Another.",
    "",
    "- Two. <!-- test: AB2 -->",
  ];
  expect(problems(...page)).toEqual(["5: nothing carries this: Another."]);
});

test("[DO8] a reference stands in the block or right after it, and may be wrapped", () => {
  const page = [
    "It is safe. <!-- test: AB1",
    "AB2 -->",
    "",
    "It is fast.",
    "<!-- bench: reference -->",
    "",
    "- Small. <!-- test: AB1 -->",
    "- Old.",
    "  <!-- test: AB2 -->",
    "",
    "| a |",
    "|---|",
    "",
    '<!-- test: test/x.test.ts "counts to three" -->',
  ];
  expect(problems(...page)).toEqual([]);
});

test("[DO8] a benchmark named below a heading carries the section that describes it", () => {
  const page = [
    "## Speed",
    "<!-- bench: reference -->",
    "It is fast.",
    "",
    "It is small.",
    "",
    "## Else",
    "",
    "Safe.",
  ];
  expect(problems(...page)).toEqual(["9: nothing carries this: Safe."]);
});

test("[DO8] references to what does not exist are named", () => {
  expect(
    problems(
      "One. <!-- test: AB1 AB9 -->",
      "",
      'Two. <!-- test: test/x.test.ts "counts to four" -->',
      "",
      'Three. <!-- test: test/y.test.ts "counts" -->',
      "",
      "Four. <!-- bench: nothing -->",
      "",
      "Five. <!-- no promise: laziness -->",
      "",
      "Six. <!-- check: lint and format -->",
      "",
      "Seven. <!-- check: spelling -->",
    ),
  ).toEqual([
    "1: no rule or test: AB9",
    '3: test/x.test.ts has no test "counts to four"',
    "5: there is no test/y.test.ts",
    '7: there is no benchmark "nothing"',
    expect.stringContaining('9: "laziness" is no reason'),
    '13: there is no check "spelling"',
  ]);
});

test("[DO8] what promises nothing says so, alone or for the section below a heading", () => {
  const page = [
    "## Why",
    "<!-- no promises: background -->",
    "",
    "Others do it otherwise.",
    "",
    "### In depth",
    "",
    "Even so.",
    "",
    "## What",
    "",
    "Try it. <!-- no promise: advice -->",
    "",
    "It works.",
  ];
  expect(problems(...page)).toEqual(["14: nothing carries this: It works."]);
});

test("[DO8] a section that a test compares with the code needs one reference", () => {
  const page = [
    "## Table",
    "<!-- section: AB1 -->",
    "",
    "### Part",
    "",
    "| a |",
    "|---|",
    "",
    "## Rest",
    "",
    "So.",
  ];
  expect(problems(...page)).toEqual(["11: nothing carries this: So."]);
  expect(problems("## Table", "<!-- section: AB9 -->", "", "It is so.")).toEqual(["2: no rule or test: AB9"]);
  expect(problems("It is so.", "<!-- section: AB1 -->")).toHaveLength(1);
});

test("[DO8] a line that leads to a carried block needs nothing, nor do mere links", () => {
  expect(problems("It does this:", "", "- A. <!-- test: AB1 -->")).toEqual([]);
  expect(problems("It does this:", "", "<!-- made -->", "| a |", "|---|", "<!-- test: AB1 -->")).toEqual([]);
  expect(problems("It is safe. It does this:", "", "- A. <!-- test: AB1 -->")).toHaveLength(1);
  expect(problems("It does this:", "", "Something else. <!-- test: AB1 -->")).toHaveLength(1);
  expect(problems("[one](one.md) · [two](two.md)")).toEqual([]);
  expect(problems("See also: [one](one.md), [two](two.md)")).toEqual([]);
});

test("[DO8] code blocks are carried by what runs them", () => {
  const code = ["```sh", "# Not a heading", "", "cambium init", "```"];
  expect(problems(...code)).toHaveLength(1);
  expect(problems("<!-- code: AB1 -->", "", ...code, "", ...code)).toEqual([]);
  expect(problems("<!-- code: AB9 -->", "", ...code)).toEqual(["1: no rule or test: AB9"]);
  expect(problems(...code, "<!-- no promise: example -->")).toEqual([]);
});
