import { describe, expect, test } from "vitest";
import { parseFields, parseStoredFields } from "../../src/format/fields.js";

const MEMORY = "0198c2a4-7d3e-7c51-9f00-3c5e8a1b2d4f";
const RECORD = "ab".repeat(32);
const written = (source: unknown): unknown => parseFields({ source }).notes.source;

describe("source references", () => {
  test.each([
    { kind: "conversation", conversation: "c1", message: 4 },
    { kind: "conversation", speaker: "Ada", turn: "D3:12", session: 3, date: "8 May" },
    { kind: "email", thread: "t1", message: "<a@b>", from: "Ada" },
    { kind: "tool", tool: "grep", run: 17 },
    { kind: "url", url: "https://example.org/a?b=c" },
    { kind: "file", name: "notes", file: "a.md", heading: "Guide" },
    { kind: "file", path: "notes/harbour.md" },
    { kind: "import", name: "memory.jsonl", heading: "Mira_Okafor", key: "[]" },
    { kind: "version", memory: MEMORY, record: RECORD },
    { kind: "bench", conversation: 7 },
    { kind: "web", url: "no address at all" },
    { kind: "constructor", anything: "goes" },
  ])("[VN7] %j is kept as it was given", (source) => {
    expect(written(source)).toEqual(source);
  });

  test.each([
    ["source.thread", { kind: "email", from: "Ada" }],
    ["source.tool", { kind: "tool", run: 1 }],
    ["source.tool", { kind: "tool", tool: " " }],
    ["source.url", { kind: "url" }],
    ["source.url", { kind: "url", url: "example.org" }],
    ["source.file", { kind: "file", line: 3 }],
    ["source.heading", { kind: "file", name: "a.md", heading: 3 }],
    ["source.name", { kind: "import", heading: "x" }],
    ["source.memory", { kind: "version", memory: "0198c2a4", record: RECORD }],
    ["source.record", { kind: "version", memory: MEMORY, record: "abcd" }],
    ["source.message", { kind: "conversation", conversation: "c", message: "" }],
  ])("[VN7] what a known kind lacks is refused by the name of its key: %s", (field, source) => {
    expect(() => written(source)).toThrow(
      expect.objectContaining({
        code: "BAD_INPUT",
        message: expect.stringContaining(field),
        details: { field },
      }),
    );
  });

  test("[VN7] what was stored before there were such rules stays readable", () => {
    const source = { kind: "file", line: 3 };
    expect(parseStoredFields({ source }).notes.source).toEqual(source);
  });
});
