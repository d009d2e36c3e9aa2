import { describe, expect, test } from "vitest";
import { readFrontMatter } from "../../src/import/front-matter.js";

const read = (...lines: readonly string[]) =>
  readFrontMatter(["---", ...lines, "---", "Body", ""].join("\n"));

describe("fields", () => {
  test("[IM8] title, tags and date are read, and the body begins behind the block", () => {
    const text = "---\r\ntitle: Harbour notes\r\ntags: [tide, boats]\r\ndate: 2026-08-01\r\n---\r\nBody";
    const { bodyStart, ...fields } = readFrontMatter(text);
    expect(fields).toEqual({
      title: "Harbour notes",
      tags: ["tide", "boats"],
      date: Date.UTC(2026, 7, 1),
      properties: "",
      problems: [],
    });
    expect(text.slice(bodyStart)).toBe("Body");
  });

  test.each([
    [['title: "C# and: other \\"things\\""'], 'C# and: other "things"'],
    [["title: 'It''s here'"], "It's here"],
    [["title: Plain # with a comment"], "Plain"],
    [['title: "# no comment" # one'], "# no comment"],
    [["title: Fix #12"], "Fix #12"],
    [["# first a comment", "", "title: Below"], "Below"],
  ])("[IM8] a title %j", (lines, title) => {
    expect(read(...lines)).toMatchObject({ title, problems: [] });
  });

  test.each([
    [["tags: tide, boats"], ["tide", "boats"]],
    [["tags: tide"], ["tide"]],
    [
      ["tags:", "  - tide", '  - "big boats"', "- tide"],
      ["tide", "big boats"],
    ],
    [["tags:", "  - #tide"], ["tide"]],
    [["tags: [\"a, b\", 'c', 2026]"], ["a, b", "c", "2026"]],
    [
      ["tags: [tide,", "  boats]"],
      ["tide", "boats"],
    ],
    [
      ["tags:", "  [tide, boats]"],
      ["tide", "boats"],
    ],
  ])("[IM8] tags %j", (lines, tags) => {
    expect(read(...lines)).toMatchObject({ tags, problems: [] });
  });

  test.each([
    ["2026-08-01", Date.UTC(2026, 7, 1)],
    ["'2026-08-01'", Date.UTC(2026, 7, 1)],
    ["2026-08-01 14:30", Date.UTC(2026, 7, 1, 14, 30)],
    ["2026-08-01T14:30:05.25Z", Date.UTC(2026, 7, 1, 14, 30, 5, 250)],
    ["2026-08-01T14:30:00+02:00", Date.UTC(2026, 7, 1, 12, 30)],
    ["2026-08-01T14:30:00-0330", Date.UTC(2026, 7, 1, 18, 0)],
    ["2024-02-29", Date.UTC(2024, 1, 29)],
  ])("[IM8] a date %s", (date, expected) => {
    expect(read(`date: ${date}`)).toMatchObject({ date: expected, problems: [] });
  });
});

describe("what is not understood", () => {
  test.each([
    "date: 2026-02-30",
    "date: next week",
    "date: 2026-08-01T25:00",
    "title: >",
    "tags: {a: b}",
    "tags:\n- a\n- b\n  c: d",
    "tags:\n  a: b",
  ])("[IM8] %s is named and not guessed", (line) => {
    const name = line.slice(0, line.indexOf(":"));
    const { [name as "title"]: value, problems } = read(line);
    expect(value).toBeUndefined();
    expect(problems).toEqual([`The field "${name}" of the front matter was not understood.`]);
  });

  test("[IM8] other fields keep their lines, whatever they hold", () => {
    const lines = ["company: Acme", "birthday: 3 May # 1990", "pets:", "  - {name: Bo}", "empty:"];
    expect(read("title: A", ...lines, "tags: [b]")).toMatchObject({
      properties: lines.slice(0, 4).join("\n"),
      problems: [],
    });
  });

  test("[IM8] aliases are read like tags, but keep a hash", () => {
    expect(read("aliases: [k8s, '#k8s']").aliases).toEqual(["k8s", "#k8s"]);
    expect(read("aliases:", "  - Noor", "  - N. Haddad").aliases).toEqual(["Noor", "N. Haddad"]);
    expect(read("aliases: {a: b}").problems).toHaveLength(1);
  });

  test.each(["title:", "title: null", "tags: []", "date: ~"])("[IM8] %s says nothing", (line) => {
    const { title, tags, date, problems } = read(line);
    expect({ title, tags, date, problems }).toEqual({ problems: [] });
  });

  test.each([
    "---\n\nA rule above a paragraph.\n\n---\n",
    "---\ntitle: never closed\n",
    "--- \nx\n",
    "Text\n---\ntitle: not at the start\n---\n",
    "----\ntitle: a\n---\n",
    "---\ntitle: a\n---- \n",
    "---\n---\n",
    "---\ntitle: a\nnot a field\n---\n",
  ])("[IM8] %j is no front matter and stays text", (text) => {
    expect(readFrontMatter(text)).toEqual({ bodyStart: 0, properties: "", problems: [] });
  });
});
