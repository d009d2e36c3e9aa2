import { expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import type { ModelUse } from "../../src/setup/models.js";
import { fakeLibrary } from "../cli/fake-library.js";
import { capturedIo } from "../cli/fixtures.js";
import { makeMachine, type TestMachine } from "./machines.js";

async function cambium(machine: TestMachine, line: readonly string[], input?: string, more: object = {}) {
  const { library, calls } = fakeLibrary({});
  const io = capturedIo({
    ...(input === undefined ? {} : { input, terminal: true }),
    ...{
      env: { PATH: machine.path("path"), NO_COLOR: "1", ...more },
      userHome: machine.home,
      cwd: machine.cwd,
    },
  });
  const code = await main(line, io, library);
  expect(calls).toEqual([]); // no replica is opened for it
  return { code, stdout: io.stdout(), stderr: io.stderr() };
}

const twoAgents = async () => {
  const machine = await makeMachine();
  await machine.write("home/.cursor/mcp.json", '{ "mcpServers": {} }\n');
  await machine.write("home/.config/zed/settings.json", "// mine\n{}\n");
  return machine;
};

test("[SU15] without a name it lists what it found and asks; no means nothing", async () => {
  await using machine = await twoAgents();
  const before = await machine.snapshot();
  const no = await cambium(machine, ["setup"], "n\n");
  expect(no).toMatchObject({ code: 0, stdout: "Nothing was changed.\n" });
  // The lines that would be written come before the question.
  expect(no.stderr).toMatch(
    /Cursor: would be set up.*\n(?: {4}.*\n)* {4}\+ .*cambium.*\n[\s\S]*Zed: would be set up.*\n(?: {4}.*\n)* {4}\+ .*cambium.*\n[\s\S]*Set these up\? \[y\/N\] $/,
  );
  expect(await machine.snapshot()).toEqual(before);

  const nobody = await cambium(machine, ["setup"]);
  expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining("--preview") });
  expect(await machine.snapshot()).toEqual(before);

  const yes = await cambium(machine, ["setup"], "y\n");
  expect(yes.code).toBe(0);
  expect(yes.stdout).toContain("Cursor: set up");
  // The plan stands above the question; nothing of it comes twice, nor does the address of a model.
  const lines = `${yes.stderr}${yes.stdout}`.split("\n").filter((line) => line.startsWith("  as it was"));
  expect(new Set(lines).size).toBe(lines.length);
  expect(yes.stdout.match(/http:\S+/g)).toHaveLength(1);
  expect(await cambium(machine, ["setup"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("already set up"),
  });
  expect((await cambium(machine, ["setup", "--remove", "--yes"])).code).toBe(0);
  expect(await machine.snapshot()).toEqual(before);
  expect((await cambium(machine, ["setup", "--remove"])).stdout).toBe("Cambium is set up in none of them.\n");
});

test("[SU18] it warns of a space that is not here, and of the official memory server beside it", async () => {
  await using machine = await twoAgents();
  const official = { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] };
  await machine.write("home/.cursor/mcp.json", JSON.stringify({ mcpServers: { memory: official } }));
  const first = await cambium(machine, ["setup", "cursor", "--space", "nope"]);
  expect(first.stdout).toContain("the agent has two memories");
  expect(first.stdout).toContain("The space nope is not on this device. Make it with `cambium init nope`");
  expect((await cambium(machine, ["setup", "cursor"])).stdout).toMatch(/already set up[\s\S]*two memories/);
  expect((await cambium(machine, ["setup", "zed", "--json"])).stdout).not.toContain("memories");
});

test("[SU19] it says which models are in use, and how to name one", async () => {
  await using machine = await twoAgents();
  const env = { CAMBIUM_ASK_URL: "http://localhost:11434", CAMBIUM_ASK_MODEL: "tiny" };
  const { stdout } = await cambium(machine, ["setup", "cursor"], undefined, env);
  expect(stdout).toMatch(/No model is needed\./);
  expect(stdout).toMatch(/recall by meaning +off +CAMBIUM_EMBEDDINGS_URL CAMBIUM_EMBEDDINGS_MODEL=\S+\n/);
  expect(stdout).toMatch(/in ask +on +tiny\n/);
  const { stdout: json } = await cambium(machine, ["setup", "zed", "--json"], undefined, env);
  expect(JSON.parse(json).models.map(({ use, model }: ModelUse) => [use, model])).toEqual([
    ["recall", undefined],
    ["ask", "tiny"],
    ["summaries", undefined],
  ]);
  expect((await cambium(machine, ["setup", "cursor", "--remove"])).stdout).not.toContain("model");
});

test("[SU2] a dry run shows every line and touches nothing", async () => {
  await using machine = await twoAgents();
  await machine.command("claude");
  const before = await machine.snapshot();
  const { code, stdout } = await cambium(machine, ["setup", "--preview", "--branch", "it's mine"]);
  expect(code).toBe(0);
  expect(stdout).toContain('+     "cambium": {');
  expect(stdout).toContain("$ claude mcp add --env 'CAMBIUM_BRANCH=it'\\''s mine' --transport stdio");
  expect(stdout).toMatch(/Nothing was changed\.\n$/);
  expect(await machine.snapshot()).toEqual(before);
  expect(await machine.callsOf("claude")).toEqual([]);
  const { stdout: json } = await cambium(machine, ["setup", "zed", "--preview", "--json"]);
  expect(JSON.parse(json)).toMatchObject({
    dryRun: true,
    steps: [{ kind: "client", client: "zed", status: "set-up", by: "file", changes: expect.any(Array) }],
  });
});

test("[SU15] one that fails does not keep the others, and gives the exit code", async () => {
  await using machine = await twoAgents();
  await machine.write("home/.cursor/mcp.json", "{ broken");
  const { code, stdout } = await cambium(machine, ["setup", "cursor", "zed", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    dryRun: false,
    steps: [
      { client: "cursor", status: "failed", error: { code: "SETTINGS_REFUSED", hint: expect.any(String) } },
      { client: "zed", status: "set-up", backup: expect.stringContaining(".before-cambium") },
    ],
  });
  const { stdout: text } = await cambium(machine, ["setup", "cursor"]);
  expect(text).toMatch(/Cursor: failed\n {2}.*mcp\.json cannot be understood at line 1, column 3/);
});

test("[SU15] rules or worktrees alone touch no agent", async () => {
  await using machine = await twoAgents();
  const { code, stdout } = await cambium(machine, ["setup", "--rules", "--worktree-branches"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/AGENTS\.md: set up.*\n\.cambium\.json: set up/);
  expect(Object.keys(await machine.snapshot())).toHaveLength(4);
  const before = await machine.snapshot();
  const nowhere = await cambium(machine, ["setup", "--worktree-branches", "--space", "nope"]);
  expect([nowhere.code, nowhere.stderr]).toEqual([3, expect.stringContaining("cambium init nope")]);
  expect(await machine.snapshot()).toEqual(before);
  const named = await cambium(machine, ["setup", "cursor", "--rules", "CLAUDE.md"]);
  expect(named.stdout).toMatch(/Cursor: set up[\s\S]*CLAUDE\.md: set up/);
});

test("[SU15] an unknown agent, and a machine without any, are told so", async () => {
  await using machine = await makeMachine();
  expect(await cambium(machine, ["setup", "emacs"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("claude-code, cursor"),
  });
  for (const typed of ["cursr", "crusor", "cursors", "curzor"])
    expect((await cambium(machine, ["setup", typed])).stderr).toContain("Did you mean cursor?");
  expect(await cambium(machine, ["setup"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("No agent"),
  });
  expect(await cambium(machine, ["setup", "cursor", "--tools", "all"])).toMatchObject({ code: 2 });
  const made = await cambium(machine, ["setup", "cursor"]);
  expect(made.stdout).toContain("Cursor was not found on this machine.");
});
