import { symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { planRules } from "../../src/setup/rules.js";
import { doStep } from "../../src/setup/step.js";
import { planWorktreeBranches } from "../../src/setup/worktree-branches.js";
import { makeMachine, type TestMachine } from "./machines.js";

const run = async (named: readonly string[] | true, remove: boolean, machine: TestMachine) =>
  await Promise.all(planRules(named, remove, machine).map((step) => doStep(step, machine)));

const TEXTS = ["", "# Rules\n", "# Rules", "# Rules\r\nBe kind.\r\n", "\uFEFF# Rules\n", "a\n\n\n", "\n"];

test.each(TEXTS)("[SU13] rules are put into %j once, and taken out to the same bytes", async (text) => {
  await using machine = await makeMachine();
  const file = await machine.write("home/project/AGENTS.md", text);
  expect(await run(true, false, machine)).toMatchObject([{ status: "set-up" }]);
  const written = await machine.read(file);
  expect(written.startsWith(text)).toBe(true);
  expect(written).toContain("`recall`");
  expect(written.includes("\r\n")).toBe(text.includes("\r\n"));
  expect(await run(true, false, machine)).toMatchObject([{ status: "already-set-up" }]);
  expect(await machine.read(file)).toBe(written);
  expect(await run(true, true, machine)).toMatchObject([{ status: "removed" }]);
  expect(await machine.snapshot()).toEqual(
    text === "" ? {} : { "home/project/AGENTS.md": Buffer.from(text).toString("latin1") },
  );
});

test("[SU13] an older block is renewed where it stands", async () => {
  await using machine = await makeMachine();
  const file = await machine.write("home/project/CLAUDE.md", "# A\n");
  await run(true, false, machine);
  const fresh = await machine.read(file);
  await machine.write(
    "home/project/CLAUDE.md",
    `${fresh.replace(/- \*\*`recall`.*\n/, "- old words\n")}\n# B\n`,
  );
  expect(await run(true, false, machine)).toMatchObject([{ status: "updated" }]);
  expect(await machine.read(file)).toBe(`${fresh}\n# B\n`);
  await run(true, true, machine);
  expect(await machine.read(file)).toBe("# A\n\n# B\n");
});

test("[SU13] files that are there are taken, each once; else AGENTS.md is made; or those that are named", async () => {
  await using machine = await makeMachine();
  expect((await run(true, false, machine)).map(({ subject }) => subject.name)).toEqual(["AGENTS.md"]);
  await symlink("AGENTS.md", machine.path("home/project/CLAUDE.md"));
  await machine.write("home/project/GEMINI.md", "x");
  expect((await run(true, false, machine)).map(({ subject }) => subject.name)).toEqual([
    "AGENTS.md",
    "GEMINI.md",
  ]);
  expect(await run(["docs/RULES.md"], false, machine)).toMatchObject([
    { status: "set-up", file: machine.path("home/project/docs/RULES.md") },
  ]);
});

test("[SU14] worktree branches are pinned in .cambium.json, and taken out", async () => {
  await using machine = await makeMachine();
  const plan = (space: string | undefined, remove = false) => planWorktreeBranches(space, remove, machine);
  const file = machine.path("home/project/.cambium.json");
  expect(await doStep(plan(undefined), machine)).toMatchObject({ status: "set-up" });
  expect(JSON.parse(await machine.read(file))).toEqual({ branch: { perWorktree: true } });
  expect(plan(undefined)).toMatchObject({ status: "already-set-up" });
  expect(await doStep(plan(undefined, true), machine)).toMatchObject({ status: "removed" });
  expect(await machine.snapshot()).toEqual({});

  await machine.write("home/project/.cambium.json", '{ "space": "team" }');
  await doStep(plan(undefined), machine);
  expect(JSON.parse(await machine.read(file))).toEqual({ space: "team", branch: { perWorktree: true } });
  await doStep(plan("notes"), machine);
  expect(JSON.parse(await machine.read(file))).toEqual({ space: "notes", branch: { perWorktree: true } });
  expect(await doStep(plan(undefined, true), machine)).toMatchObject({
    note: "The space notes stays pinned.",
  });
  expect(JSON.parse(await machine.read(file))).toEqual({ space: "notes" });
});

test("[SU14] a branch that is pinned already, or a broken file, is left alone", async () => {
  await using machine = await makeMachine();
  for (const text of ['{ "branch": "work" }', "{"]) {
    const file = await machine.write("home/project/.cambium.json", text);
    const step = await doStep(planWorktreeBranches(undefined, false, machine), machine);
    expect(step).toMatchObject({ status: "failed" });
    expect(step.error?.hint).toMatch(/\S/);
    expect(await machine.read(file)).toBe(text);
  }
});
