import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { type ErrorCode, isCambiumError } from "@cambium/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readImportSource } from "../../src/import/read-import-source.js";
import { TIDEPOOL_NOTES } from "./tidepool-notes.js";

const MEMORY_FILE = fileURLToPath(new URL("./fixtures/memory.jsonl", import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cambium-import-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Makes a folder of its own with these files and returns its path. */
async function filled(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const top = await mkdtemp(join(folder, "source-"));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(top, path, ".."), { recursive: true });
    await writeFile(join(top, path), content);
  }
  return top;
}

async function refusal(reading: Promise<unknown>, code: ErrorCode = "BAD_INPUT"): Promise<string> {
  const error: unknown = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(isCambiumError(error, code), String(error)).toBe(true);
  return String(error);
}

async function* bytesOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

const UTF16 = new Uint8Array([0xff, 0xfe, 0x41, 0x00]);

describe("files", () => {
  test("[IM10] the MCP memory server's file", async () => {
    const { format, drafts, skipped } = await readImportSource(MEMORY_FILE);
    expect({ format, skipped }).toEqual({ format: "mcp-memory", skipped: [] });
    expect(drafts).toHaveLength(9);
    expect(drafts[1]).toMatchObject({
      content: "Mira_Okafor: Prefers short answers",
      source: { name: "fixtures/memory.jsonl" },
    });
  });

  test("[IM10] a Markdown file has the keys it has when its folder is read", async () => {
    const source = await filled(TIDEPOOL_NOTES);
    const alone = await readImportSource(join(source, "CLAUDE.md"));
    const within = await readImportSource(source);
    const keys = within.drafts.map(({ sourceKey }) => sourceKey);
    expect(alone.drafts).toHaveLength(4);
    for (const { sourceKey } of alone.drafts) expect(keys).toContain(sourceKey);
  });

  test("[IM10] the format is told by extension, and without one by content", async () => {
    const line = '{"type":"entity","name":"A","entityType":"b","observations":[]}\n';
    const source = await filled({
      memory: `\n${line}`,
      "a.txt": "Text",
      "a.JSON": line,
      "a.md": line,
      "a.csv": "a,b",
    });
    const formatOf = async (file: string) => (await readImportSource(join(source, file))).format;
    expect(await formatOf("memory")).toBe("mcp-memory");
    expect(await formatOf("a.JSON")).toBe("mcp-memory");
    expect(await formatOf("a.txt")).toBe("markdown");
    expect(await formatOf("a.md")).toBe("markdown");
    expect(await refusal(readImportSource(join(source, "a.csv")))).toContain('"a.csv" is not known, or');
    const damaged = await filled({
      "cut.jsonl": `${line.slice(3)}{"type":"memo`,
      "half.jsonl": `{"no\n${line}`,
    });
    expect(await refusal(readImportSource(join(damaged, "cut.jsonl")))).toContain("or the file is damaged");
    expect(await readImportSource(join(damaged, "half.jsonl"))).toMatchObject({
      format: "mcp-memory",
      skipped: [{ where: "line 1" }],
    });
  });

  test("[IM10] an empty path is no path, and not the folder where somebody is", async () => {
    for (const path of ["", " "])
      await expect(readImportSource(path)).rejects.toMatchObject({ message: "No file or folder was named." });
  });

  test("[IM10] a missing, too large or non-UTF-8 file is refused by name", async () => {
    const source = await filled({ "big.md": "x".repeat(101), "fits.md": "x".repeat(100), "wide.md": UTF16 });
    const read = (file: string) => readImportSource(join(source, file), { maxFileBytes: 100 });
    expect(await refusal(read("none.md"))).toMatch(/none\.md" does not exist/);
    expect(await refusal(read("big.md"))).toMatch(/big\.md" is larger than 100 bytes/);
    expect(await refusal(read("wide.md"))).toMatch(/wide\.md" is not UTF-8/);
    expect((await read("fits.md")).drafts).toHaveLength(1);
    if (process.platform !== "win32") expect(await refusal(readImportSource("/dev/null"))).toMatch(/neither/);
  });
});

describe("folders", () => {
  test("[IM10] are read whole, with links between their files", async () => {
    const { format, drafts, skipped } = await readImportSource(await filled(TIDEPOOL_NOTES));
    expect(format).toBe("markdown");
    expect(drafts.map(({ source }) => [source.file, source.heading])).toEqual([
      ["CLAUDE.md", undefined],
      ["CLAUDE.md", "Tidepool > Commands"],
      ["CLAUDE.md", "Tidepool > Style"],
      ["CLAUDE.md", "Tidepool > Notes > Open questions"],
      ["docs/model.md", "The tide model"],
      ["docs/model.md", "The tide model > What a tide is"],
      ["docs/model.md", "The tide model > What a tide is > Limits"],
    ]);
    const [, commands, style, , , tide, limits] = drafts;
    expect(style?.links).toEqual([{ rel: "links-to", to: tide?.sourceKey }]);
    expect(limits?.links).toEqual([{ rel: "links-to", to: commands?.sourceKey }]);
    expect(tide).toMatchObject({ tags: ["tides", "domain model"], occurredAt: Date.UTC(2026, 2, 14) });
    expect(skipped).toEqual([]);
  });

  test("[IM10] leave out dot names, node_modules and other files, and follow no symbolic link", async () => {
    const outside = await filled({ "secret.md": "Secret" });
    const source = await filled({
      "a.md": "A",
      "sub/b.MARKDOWN": "B",
      "c.txt": "C",
      ".hidden/d.md": "D",
      "sub/._e.md": "E",
      "node_modules/pkg/f.md": "F",
    });
    await symlink(outside, join(source, "linked"));
    await symlink(join(outside, "secret.md"), join(source, "sub", "linked.md"));
    const { drafts, skipped } = await readImportSource(source);
    expect(drafts.map(({ content }) => content)).toEqual(["A", "B"]);
    expect(skipped.map(({ where }) => where).sort()).toEqual(["c.txt", "linked", "sub/linked.md"]);
  });

  test("[CL110] list what is left out with the reason, what went wrong first, and fold what is too much", async () => {
    const pictures = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`pictures/${index}.png`, "x"]),
    );
    const source = await filled({
      ...{ "a.md": "A", "empty.md": "", "blank.md": " \n\n", "heading.md": "# Only\n", "wide.md": UTF16 },
      ...{ "titled.md": "---\ntitle: T\n---\n", "x.txt": "X", ...pictures },
    });
    const { drafts, skipped } = await readImportSource(source);
    expect(drafts).toHaveLength(1);
    expect(skipped[0]).toMatchObject({ where: "wide.md" });
    const without = skipped.filter(({ reason }) => reason.includes("no text")).map(({ where }) => where);
    expect(without).toEqual(["blank.md", "empty.md", "heading.md", "titled.md"]);
    expect(skipped).toHaveLength(5 + 20 + 1);
    expect(skipped.at(-1)).toMatchObject({
      where: "11 more files",
      reason: expect.stringContaining("Markdown"),
    });
    // Whoever names a file gets an answer about it, too.
    expect((await readImportSource(join(source, "empty.md"))).skipped).toMatchObject([{ where: "empty.md" }]);
  });

  test("[IM10] name the files they had to leave out, and are refused when nothing is left", async () => {
    const source = await filled({ "a.md": "A", "big.md": "x".repeat(101), "wide.md": UTF16 });
    const { drafts, skipped } = await readImportSource(source, { maxFileBytes: 100 });
    expect(drafts).toHaveLength(1);
    expect(skipped.map(({ where }) => where).sort()).toEqual(["big.md", "wide.md"]);
    expect(await refusal(readImportSource(await filled({ "wide.md": UTF16 })))).toContain("no Markdown file");
    expect(await refusal(readImportSource(source, { format: "mcp-memory" }))).toContain("is a folder");
  });
});

describe("standard input", () => {
  test("[IM10] is read whole, characters split between chunks too", async () => {
    const [first, second] = [new Uint8Array([0x23, 0x20, 0xc3]), new Uint8Array([0xa9, 0x0a, 0x78])];
    async function* input() {
      yield first;
      yield second;
    }
    const { drafts } = await readImportSource("-", { input: input() });
    expect(drafts.map(({ content }) => content)).toEqual(["# é\nx"]);
    const named = await readImportSource("-", { input: bytesOf("# A\n", "x"), name: "chat" });
    expect(named.drafts[0]?.source.name).toBe("chat");
  });

  test("[IM10] that turns out to be Markdown is held to the limit of Markdown", async () => {
    const tooLong = "x".repeat(4 * 1024 * 1024 + 1);
    expect(await refusal(readImportSource("-", { input: bytesOf(tooLong) }))).toContain(
      "larger than 4194304",
    );
  });

  test("[IM10] is held to the size limit and stops when told", async () => {
    expect(await refusal(readImportSource("-", { input: bytesOf("12345", "6"), maxFileBytes: 5 }))).toContain(
      "larger than 5 bytes",
    );
    const stop = new AbortController();
    const waiting = readImportSource("-", { input: new PassThrough(), signal: stop.signal });
    stop.abort();
    await refusal(waiting, "ABORTED");
    await refusal(readImportSource(MEMORY_FILE, { signal: stop.signal }), "ABORTED");
  });
});
