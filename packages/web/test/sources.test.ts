import { describe, expect, it } from "vitest";
import { readerOf } from "../src/i18n/text.ts";
import { sentencesOf } from "../src/views/memory/source-file.tsx";
import { partsOf } from "../src/views/memory/sources.tsx";

const ID = "01900000-0000-7000-8000-000000000002";
const RECORD = "ab".repeat(32);
const reader = readerOf("en", []);

describe("[PG10] where a memory comes from", () => {
  it("is told apart by what opens, and the rest stays in letters", () => {
    expect(partsOf({})).toMatchObject({ named: [] });
    expect(partsOf({ kind: "chat", title: "Monday" })).toMatchObject({ said: "Monday", named: [] });
    expect(partsOf({ kind: "conversation", conversation: 7, turn: 3 })).toMatchObject({
      ...{ said: "7", named: ["conversation, turn 3"] },
    });
    expect(partsOf({ kind: "file", path: "/a/b.md", line: 3 })).toMatchObject({
      file: "/a/b.md:3",
      named: [],
    });
    expect(partsOf({ kind: "import", name: "notes", file: "a.md", format: "markdown" })).toMatchObject({
      ...{ file: "a.md", named: ["import, format markdown"] },
    });
    expect(partsOf({ kind: "url", url: "file:///a/b.md" })).toMatchObject({
      file: "file:///a/b.md",
      named: [],
    });
    const version = { memory: ID, record: RECORD };
    expect(partsOf({ kind: "version", ...version, inputMethod: "restore" })).toMatchObject({
      version,
      named: [],
    });
    expect(partsOf({ kind: "url", url: `version://${ID}/${RECORD}` })).toMatchObject({ version, named: [] });
  });

  it("is no link unless it is on the web or a letter", () => {
    const urlOf = (url: string) => partsOf({ kind: "url", url }).url;
    expect(urlOf("https://example.org/a")).toBe("https://example.org/a");
    expect(urlOf("mailto:a@example.org")).toBe("mailto:a@example.org");
    for (const other of [
      "javascript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "blob:x",
      "file:///a",
      "x",
    ]) {
      expect(urlOf(other), other).toBeUndefined();
      expect(JSON.stringify(partsOf({ kind: "url", url: other }))).toContain(other);
    }
  });

  it("says in a sentence why a file is not shown, and whose it is", () => {
    const all = [
      "none",
      "partial",
      "missing",
      "link",
      "folder",
      "large",
      "binary",
      "private",
      "secret",
      "unreadable",
    ] as const;
    const sentences = all.map((status) => sentencesOf(reader, { status, sizeBytes: 5_000_000 }).join(" "));
    expect(new Set(sentences).size).toBe(all.length);
    expect(sentences.join(" ")).toContain("5 MB");
    const device = "laptop";
    expect(sentencesOf(reader, { status: "missing", device })).toEqual([
      "This file is on laptop. It is not on this device.",
    ]);
    const shown = { status: "shown", device, line: 7, first: 5, total: 9, lines: ["a", "b", "c"] } as const;
    expect(sentencesOf(reader, shown).slice(1)).toEqual([
      "This was written on laptop. You see the file of the same path on this device.",
      "Line 7 of 9.",
      "Lines 5 to 7 of 9 are shown.",
    ]);
  });
});
