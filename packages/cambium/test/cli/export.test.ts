import { existsSync, writeFileSync } from "node:fs";
import type { ExportOptions, ExportResult } from "@cambium/client";
import { expect, test } from "vitest";
import { cambium } from "./run-cambium.js";

/** Writes something, as the library does. */
const exporting = (more: Partial<ExportResult> = {}) => {
  const paths: string[] = [];
  const asked: (ExportOptions | undefined)[] = [];
  const agent = {
    export: async (path: string, options?: ExportOptions): Promise<ExportResult> => {
      paths.push(path);
      asked.push(options);
      if (path.includes("cambium-export-")) writeFileSync(path, '{"line":1}\n');
      const { format = "jsonl" } = options ?? {};
      return { format, path, memories: 2, sizeBytes: 11, branch: "main", heads: [], ...more };
    },
  };
  return { answers: { agent }, paths, asked };
};

test("[CL130] export writes to standard output, or to a file that it names with what is in it", async () => {
  const { answers, paths, asked } = exporting({ unreadable: 3 });
  const plain = await cambium(["export"], answers);
  expect([plain.code, plain.stdout]).toEqual([0, '{"line":1}\n']);
  expect(plain.stderr).toContain("3 left out");
  expect(existsSync(paths[0] as string)).toBe(false);

  const line = ["export", "--out", "my file", "--tag", "release", "--at", "2026-08-01", "--force"];
  const named = await cambium(line, exporting({ versions: 5 }).answers);
  expect(named.stdout).toContain("Wrote 2 memories with 5 versions to my file.");
  const hidden = await cambium(line, exporting({ versions: 5, forgotten: 1 }).answers);
  expect(hidden.stdout).toContain("Wrote 2 memories (1 forgotten) with 5 versions to my file.");
  expect(named.stdout).toContain("cambium import 'my file'");
  await cambium(line, answers);
  expect(asked[1]).toMatchObject({ tag: ["release"], at: "2026-08-01", overwrite: true });
  const document = JSON.parse((await cambium([...line, "--json"], answers)).stdout);
  expect(document).toMatchObject({ memories: 2, path: "my file" });
});

test("[CL109] an export that nothing matches says which filter, writes nothing and exits as a recall would", async () => {
  const none = exporting({ memories: 0, sizeBytes: 0, advice: ['No memory here was written by "nobody".'] });
  const line = ["export", "--tag", "no such", "--not-tag", "b", "--by", "nobody", "--branch", "main"];
  for (const more of [[], ["--out", "x"]]) {
    const { code, stdout, stderr } = await cambium([...line, ...more], none.answers);
    expect([code, more.length === 0 ? stderr : stdout]).toEqual([
      3,
      `No memory matches --tag 'no such' --not-tag b --by nobody. Nothing was written.\nNo memory here was written by "nobody".\n`,
    ]);
    expect(more.length === 0 ? stdout : stderr).toBe("");
  }
  const silent = exporting({ memories: 0, sizeBytes: 0 });
  expect((await cambium(["export", "--tag", "x", "--out", "x"], silent.answers)).code).toBe(0);
});

test("[CL130] export says what it cannot write to standard output", async () => {
  const { answers, paths } = exporting();
  const tree = await cambium(["export", "--format", "markdown"], answers);
  expect([tree.code, tree.stderr]).toEqual([2, expect.stringContaining("--out")]);
  const json = await cambium(["export", "--json"], answers);
  expect([json.code, json.stderr]).toEqual([2, expect.stringContaining("--out")]);
  expect(paths).toEqual([]);
});
