/** Conflicts decided at a terminal, and long answers shown there, with injected input. */
import type { Memory } from "@cambium/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { fakeLibrary } from "./fake-library.js";
import { by, capturedIo, type IoSettings, memory, NOW, record, TEA } from "./fixtures.js";
import { OwnHome } from "./own-home.js";

const conflict = (field: "content" | "category", one: string, two: string): Memory["conflicts"][number] => ({
  ...{ field, base: null },
  values: [
    { value: one, record: record("a"), by: by("cli"), at: NOW },
    { value: two, record: record("b"), by: by("bot"), at: NOW },
  ],
});

async function resolving(line: readonly string[], settings: IoSettings) {
  const torn = memory({ conflicts: [conflict("content", "Tea", "Coffee"), conflict("category", "x", "y")] });
  const open = [{ id: TEA, branch: "main", fields: torn.conflicts, memory: torn }];
  const io = capturedIo({ edit: (text) => text, env: { NO_COLOR: "1" }, ...settings });
  const { library, calls } = fakeLibrary({
    space: { get: async () => torn, conflicts: async () => open as never },
    agent: { resolve: async () => memory({ version: 3 }) },
  });
  const code = await main(["resolve", ...line], io, library);
  const decided = calls.filter(({ name }) => name === "agent.resolve").map(({ args }) => args[1]);
  return { code, stdout: io.stdout(), stderr: io.stderr(), decided };
}

test("[CL90] resolve shows the base and every value, asks which stays, and discards the others", async () => {
  const both = await resolving([TEA], { terminal: true, input: "2\nnonsense\n1\n" });
  expect(both.stderr).toMatch(
    /base .*\n.*1 +Tea\n.*cli, [\s\S]*2 +Coffee\n.*bot, [\s\S]*\[1\/2\/edit\/skip\]/,
  );
  expect(both.decided).toEqual([
    { field: "content", keep: record("b"), discard: [record("a")] },
    { field: "category", keep: record("a"), discard: [record("b")] },
  ]);
  expect(both).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Resolved .*\nResolved/) });
  const skipped = await resolving([], { terminal: true, input: "skip\n\n\n\n" });
  expect(skipped).toMatchObject({ code: 4, stdout: "2 left open.\n", decided: [] });
  const one = await resolving([TEA, "--field", "category"], { terminal: true, input: "1\n" });
  expect(one.decided).toHaveLength(1);
});

test("[CL90] edit opens both values between marks; marks that are left, or nothing, leave it open", async () => {
  const edited = (edit: (text: string) => string) =>
    resolving([TEA, "--field", "content"], { terminal: true, input: "e\n", edit });
  const texts: string[] = [];
  const mixed = await edited((text) => {
    texts.push(text);
    return "Tea, then coffee\n======= \n\n";
  });
  expect(texts[0]).toMatch(/^<<<<<<< 1, .*cli\nTea\n=======\nCoffee\n>>>>>>> 2, .*bot\n$/);
  expect(mixed.decided).toEqual([
    { field: "content", content: "Tea, then coffee\n======= ", discard: [record("a"), record("b")] },
  ]);
  for (const edit of [(text: string) => text, () => "\n"])
    expect(await edited(edit)).toMatchObject({
      code: 4,
      decided: [],
      stderr: expect.stringContaining("open"),
    });
});

test("[CL90] where nobody can be asked, resolve shows the values with a command for each, and exits with 4", async () => {
  const shown = await resolving([TEA], {});
  expect(shown).toMatchObject({ code: 4, decided: [], stderr: "" });
  expect(shown.stdout.match(/\$ cambium resolve .* --keep \S+ --discard \S+/g)).toHaveLength(4);
  expect(JSON.parse((await resolving(["--json"], { terminal: true })).stdout)).toMatchObject({
    conflicts: [{ fields: [{ field: "content" }, { field: "category" }] }],
  });
});

const home = new OwnHome();
afterAll(() => home[Symbol.dispose]());
const cambium: OwnHome["run"] = (...call) => home.run(...call);

let id = "";
beforeAll(async () => {
  await cambium(["init", "notes"]);
  id = JSON.parse((await cambium(["remember", "Budget 50", "--json"])).stdout).id;
  await cambium(["branch", "work"]);
  await cambium(["revise", id, "Budget 70", "--category", "idea", "--branch", "work"]);
  await cambium(["revise", id, "Budget 60", "--category", "plan"]);
});

test("[CL91] a merge in conflict asks at a terminal, names the branches, and merges when all is decided", async () => {
  const left = await cambium(["merge", "work"], { terminal: true, input: "1\nskip\n" });
  expect(left).toMatchObject({ code: 4, stdout: expect.stringContaining("Nothing was written") });
  const edit = (): string => "both";
  const done = await cambium(["merge", "work"], { terminal: true, input: "1\nedit\n", edit });
  expect(done.stderr).toMatch(/[12] source \(work\) [\s\S]*[12] target \(main\) /);
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("Merged") });
  const { content, category } = JSON.parse((await cambium(["show", id, "--json"])).stdout);
  const first = /1 (source|target)/.exec(done.stderr)?.[1];
  expect([content, category]).toEqual([first === "source" ? "Budget 70" : "Budget 60", "both"]);
});

test("[CL92] what is longer than the screen goes through the pager; short answers, pipes and --json do not", async () => {
  const pagedOf = async (line: readonly string[], settings: IoSettings) => {
    const paged: string[] = [];
    const { stdout } = await cambium(line, { ...settings, paged });
    return { paged: paged.join(""), stdout };
  };
  const terminal = true;
  const long = await pagedOf(["history", id], { terminal, rows: 5 });
  expect(long).toMatchObject({ paged: expect.stringContaining("Budget 50"), stdout: "" });
  expect((await pagedOf(["list", "--help"], { terminal, rows: 5 })).paged).toContain("Usage:");
  for (const [line, settings] of [
    [["history", id], { terminal, rows: 100 }],
    [["history", id], { rows: 5 }],
    [["history", id, "--json"], { terminal, rows: 5 }],
  ] as const)
    expect(await pagedOf(line, settings)).toMatchObject({ paged: "", stdout: expect.stringContaining("50") });
});
