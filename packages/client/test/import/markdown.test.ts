import { isCambiumError } from "@cambium/core";
import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, test } from "vitest";
import type { ImportDraft } from "../../src/import/import-draft.js";
import { readMarkdown } from "../../src/import/markdown.js";

const SEED = 20_262;

function finished<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const readAll = (files: Readonly<Record<string, string>>) =>
  finished(
    readMarkdown(
      Object.entries(files).map(([path, text]) => ({ path, text })),
      { name: "notes" },
    ),
  );

const read = (text: string): readonly ImportDraft[] => readAll({ "a.md": text }).drafts;
const keysOf = (drafts: readonly ImportDraft[]): string[] => drafts.map(({ sourceKey }) => sourceKey);
const contentsOf = (text: string): string[] => read(text).map(({ content }) => content);
const keyOf = (drafts: readonly ImportDraft[], words: string): string | undefined =>
  drafts.find(({ content }) => content.includes(words))?.sourceKey;

describe("sections", () => {
  test("[IM5] each is a memory with its exact text, file and headings", () => {
    const drafts = read("# Guide\n\nHello  \nthere.\n\n## Deploy *now*\n\n- one\n- two\n");
    expect(drafts).toEqual([
      {
        sourceKey: '["markdown","notes","a.md",["Guide"]]',
        content: "# Guide\n\nHello  \nthere.",
        kind: "note",
        source: { kind: "import", format: "markdown", name: "notes", file: "a.md", heading: "Guide" },
      },
      {
        sourceKey: '["markdown","notes","a.md",["Guide","Deploy now"]]',
        content: "## Deploy *now*\n\n- one\n- two",
        kind: "note",
        source: {
          kind: "import",
          format: "markdown",
          name: "notes",
          file: "a.md",
          heading: "Guide > Deploy now",
        },
      },
    ]);
  });

  test("[IM5] code stays verbatim, and what looks like a heading in it is none", () => {
    const code = "```sh\n# not a heading\n\n\tindented\n   \n```";
    expect(contentsOf(`# A\n\n${code}\n\n# B\n\n    # indented code\n\n> # quoted\n`)).toEqual([
      `# A\n\n${code}`,
      "# B\n\n    # indented code\n\n> # quoted",
    ]);
  });

  test("[IM5] Setext headings, closing hashes and CRLF are understood and kept as written", () => {
    expect(
      contentsOf(
        "\uFEFFOne\r\ntwo\r\n===\r\n\r\nText\r\n\r\nNext\r\n---\r\nMore\r\n\r\n### Third ###\r\nEnd\r\n",
      ),
    ).toEqual(["One\r\ntwo\r\n===\r\n\r\nText", "Next\r\n---\r\nMore", "### Third ###\r\nEnd"]);
  });

  test("[IM5] a link definition right above an underlined heading stays in its own section", () => {
    expect(contentsOf("[a]: #b\nTitle\n===\nText\n")).toEqual(["[a]: #b", "Title\n===\nText"]);
  });

  test("[IM5] indented code at the start of a text keeps its indentation", () => {
    expect(contentsOf("\n    let x = 1;\n\n# A\n")).toEqual(["    let x = 1;"]);
  });

  test("[IM7] a heading with only sub-headings, a rule or nothing below it makes no memory", () => {
    expect(contentsOf("# Top\n\n## Empty\n\n## Rule\n\n---\n\n## Full\n\nText\n")).toEqual([
      "## Full\n\nText",
    ]);
    expect(readAll({ "a.md": "# Only a heading\n" })).toEqual({
      drafts: [],
      skipped: [{ where: "a.md", reason: "There is no text in it." }],
    });
  });

  test("[IM7] text before the first heading stands under the file's name alone", () => {
    expect(read("Before.\n\n# A\n")).toMatchObject([
      { sourceKey: '["markdown","notes","a.md",[]]', content: "Before.", source: { file: "a.md" } },
    ]);
  });

  test("[IM7] a section too large for a memory is skipped by name", () => {
    const reading = readAll({ "a.md": `# A\n\n## Big\n\n${"x ".repeat(500_001)}\n\n## Small\n\nText\n` });
    expect(reading.drafts).toHaveLength(1);
    expect(reading.skipped).toMatchObject([{ where: "a.md > A > Big" }]);
  });

  test("[IM5] thousands of nested quotations do no harm", () => {
    expect(read(`# A\n\n${">".repeat(3_000)} [x](#a)\n`)).toHaveLength(1);
  });
});

describe("keys", () => {
  const block = (title: string, level = 2): string => `${"#".repeat(level)} ${title}\n\nAbout ${title}.\n\n`;

  test("[IM6] a section moved among its siblings keeps its key, edited too", () => {
    const before = read(`# Top\n\n${block("A")}${block("B")}${block("C")}`);
    const after = read(`# Top\n\n${block("C")}${block("A").replace("About", "More about")}${block("B")}`);
    expect(keysOf(after).sort()).toEqual(keysOf(before).sort());
  });

  test("[IM6] a renamed heading changes its key and those below it, and no other", () => {
    const text = `${block("A", 1)}${block("B")}${block("C", 1)}`;
    const [a, b, c] = keysOf(read(text));
    const [renamed, below, other] = keysOf(read(text.replace("# A", "# Z")));
    expect([renamed, below]).not.toContain(a);
    expect([renamed, below]).not.toContain(b);
    expect(other).toBe(c);
  });

  test("[IM6] equal headings have keys of their own, which an empty one between them does not move", () => {
    const one = read("## Notes\n\nfirst\n\n## Notes\n\n## Notes\n\nthird\n");
    const filled = read("## Notes\n\nfirst\n\n## Notes\n\nsecond\n\n## Notes\n\nthird\n");
    expect(new Set(keysOf(filled)).size).toBe(3);
    expect(keyOf(filled, "third")).toBe(keyOf(one, "third"));
  });

  test("[IM6] equal headings under different parents do not count each other", () => {
    const release = (version: string): string => `## ${version}\n\n### Added\n\nIn ${version}.\n\n`;
    const before = read(release("1.0"));
    const after = read(release("2.0") + release("1.0"));
    expect(keyOf(after, "In 1.0")).toBe(keyOf(before, "In 1.0"));
  });

  test("[IM6] a heading that ends in a number is not taken for a repeated one", () => {
    expect(new Set(keysOf(read("# A\n\n1\n\n# A\n\n2\n\n# A-1\n\n3\n\n# A 1\n\n4\n"))).size).toBe(4);
  });

  test("[IM6] composed and decomposed spellings of a name are one key", () => {
    expect(keysOf(readAll({ "e\u0301.md": "# e\u0301\n\nx" }).drafts)).toEqual(
      keysOf(readAll({ "\u00E9.md": "# \u00E9\n\nx" }).drafts),
    );
  });

  test("[IM6] one path given twice is refused", () => {
    const files = [
      { path: "a.md", text: "x" },
      { path: "a.md", text: "y" },
    ];
    try {
      finished(readMarkdown(files, { name: "notes" }));
      expect.unreachable();
    } catch (error) {
      expect(isCambiumError(error, "BAD_INPUT")).toBe(true);
    }
  });
});

describe("front matter", () => {
  test("[IM8] tags and date go to every section, the title stands above its headings", () => {
    const text = "---\ntitle: Harbour\ntags: [tide]\ndate: 2026-08-01\n---\nBefore.\n\n# Boats\n\nText\n";
    expect(read(text)).toMatchObject([
      {
        content: "Before.",
        tags: ["tide"],
        occurredAt: Date.UTC(2026, 7, 1),
        source: { heading: "Harbour" },
      },
      { content: "# Boats\n\nText", tags: ["tide"], source: { heading: "Harbour > Boats" } },
    ]);
  });

  test("[IM8] it changes no key, and a heading that repeats the title does not stand twice", () => {
    const [draft] = read("---\ntitle: Boats\n---\n# Boats\n\nText\n");
    expect(draft?.source.heading).toBe("Boats");
    expect(draft?.sourceKey).toBe(read("# Boats\n\nText\n")[0]?.sourceKey);
  });

  test("[IM8] its other fields are one memory, which keeps its key when the text changes", () => {
    const note = "---\naliases: [Noor]\ncompany: Acme\nborn: 3 May\n---\n";
    const [properties, text] = readAll({ "People/Noor Haddad.md": `${note}Text\n` }).drafts;
    expect(properties).toMatchObject({
      content: "company: Acme\nborn: 3 May",
      aliases: ["Noor"],
      source: { file: "People/Noor Haddad.md", heading: "Noor Haddad" },
    });
    expect(text).toMatchObject({ content: "Text", aliases: ["Noor"] });
    const [again] = readAll({ "People/Noor Haddad.md": note.replace("May", "June") }).drafts;
    expect(again?.sourceKey).toBe(properties?.sourceKey);
  });

  test("[IM8] what is not understood of it is said with the file's name", () => {
    const { skipped } = readAll({ "a.md": "---\ntags: {a: b}\n---\nText\n" });
    expect(skipped).toMatchObject([{ where: "a.md" }]);
  });
});

describe("links", () => {
  const files = {
    "index.md":
      "# Index\n\n[a](docs/a.md) [b](./docs/b%20c.md#two-words) [x](missing.md) [w](https://example.org/docs/a.md)\n\n## Self\n\n[up](#index) [me](#self)\n",
    "docs/a.md":
      "# Empty top\n\n## First\n\n[up](../index.md#self) [out](../../x.md) [again](/index.md#self)\n",
    "docs/b c.md": "## Two *words*\n\n[r] and [a](a.md#empty-top)\n\n## Two words\n\n[r]: #two-words-1\n",
  };
  const { drafts } = readAll(files);
  const linksOf = (words: string): (string | undefined)[] | undefined =>
    drafts.find(({ content }) => content.includes(words))?.links?.map(({ to }) => to);

  test("[IM9] a link to a file or section of the source leads to its memory, any other to nothing", () => {
    expect(linksOf("# Index")).toEqual([keyOf(drafts, "## First"), keyOf(drafts, "## Two *words*")]);
    expect(linksOf("## First")).toEqual([keyOf(drafts, "## Self")]);
  });

  test("[IM9] a link in double brackets leads to the note of that name, as in a vault", () => {
    const vault = {
      "Inbox.md":
        "[[noor haddad]] [[Bo|the dog]] ![[Pets/Bo]] [[Bo#Food]] [[Nobody]] `[[Code]]`\n\n| a |\n| - |\n| [[Code\\|x]] |\n",
      "People/Noor Haddad.md": "Noor has [[Bo]] and [[#Diet]].\n\n## Diet\n\nNo peanuts.\n",
      "People/Bo.md": "A person.\n",
      "Pets/Old/Bo.md": "The first one.\n",
      "Pets/Bo.md": "A dog.\n\n## Food\n\nFish, see [[Bo#^block]].\n",
      "Code.md": "Code.\n",
    };
    const all = readAll(vault).drafts;
    const named = (key: string) => all.find(({ sourceKey }) => sourceKey === key)?.content.split("\n")[0];
    const linked = (file: string) =>
      all
        .flatMap(({ source, links }) => (source.file === file ? (links ?? []) : []))
        .map(({ to }) => named(to));
    // The shortest path wins: of equal ones, the first by name.
    expect(linked("Inbox.md")).toEqual(["Noor has [[Bo]] and [[#Diet]].", "A dog.", "## Food", "Code."]);
    // In the same folder first.
    expect(linked("People/Noor Haddad.md")).toEqual(["A person.", "## Diet"]);
    expect(linked("Pets/Bo.md")).toEqual(["A dog."]);
  });

  test("[IM9] a section does not link to itself", () => {
    expect(linksOf("## Self")).toEqual([keyOf(drafts, "# Index")]);
  });

  test("[IM9] reference links and the anchors of equal headings resolve; an empty heading leads below itself", () => {
    expect(linksOf("## Two *words*")).toEqual([keyOf(drafts, "## Two words"), keyOf(drafts, "## First")]);
  });
});

describe("any text", () => {
  const line = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom("# A", "## A", "### B", "## B ##", "", "", "---", "===", "```", "> # q"),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom("- item", "    # code", "  text", "[x](#a)", "[a]: #b", "<!-- c", "-->"),
    },
    {
      weight: 1,
      arbitrary: fc.string({ unit: "binary", maxLength: 12 }).filter((each) => each.isWellFormed()),
    },
  );
  const text = fc
    .tuple(fc.array(line, { maxLength: 25 }), fc.constantFrom("\n", "\r\n"))
    .map(([lines, end]) => lines.join(end));

  test("[IM5] drafts are slices of the text, in order, and hold every block that is no heading and no rule", () => {
    fc.assert(
      fc.property(text, (source) => {
        let position = 0;
        const drafts = contentsOf(source);
        for (const content of drafts) {
          const start = source.indexOf(content, position);
          expect(start).toBeGreaterThanOrEqual(position);
          position = start + content.length;
        }
        const blocks = fromMarkdown(source.replace(/^\uFEFF/, "")).children;
        for (const { type, position } of blocks) {
          if (type === "heading" || type === "thematicBreak") continue;
          const block = source.replace(/^\uFEFF/, "").slice(position?.start.offset, position?.end.offset);
          expect(drafts.some((content) => content.includes(block))).toBe(true);
        }
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test("[IM1] keys are unique and the same at each reading", () => {
    fc.assert(
      fc.property(text, text, (one, two) => {
        const files = { "one.md": one, "two.md": two };
        const keys = keysOf(readAll(files).drafts);
        expect(new Set(keys).size).toBe(keys.length);
        expect(keysOf(readAll(files).drafts)).toEqual(keys);
      }),
      { seed: SEED },
    );
  });

  test("[IM6] any order of sibling sections gives the same keys and contents", () => {
    const titles = fc.uniqueArray(fc.constantFrom("A", "B", "C", "D", "E"), { minLength: 1 });
    const shuffled = titles.chain((each) =>
      fc.tuple(fc.constant(each), fc.shuffledSubarray(each, { minLength: each.length })),
    );
    const toText = (names: readonly string[]): string =>
      names.map((name) => `# ${name}\n\nOn ${name}.\n\n`).join("");
    const asPairs = (names: readonly string[]): string[] =>
      read(toText(names)).map(({ sourceKey, content }) => `${sourceKey} ${content}`);
    fc.assert(
      fc.property(shuffled, ([before, after]) => {
        expect(asPairs(after).sort()).toEqual(asPairs(before).sort());
      }),
      { seed: SEED },
    );
  });
});
