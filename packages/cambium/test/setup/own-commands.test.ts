import { describe, expect, test } from "vitest";
import { clientNamed } from "../../src/setup/clients.js";
import { type ClientRequest, planClient, presentIn } from "../../src/setup/plan-client.js";
import { doStep } from "../../src/setup/step.js";
import { makeMachine, type TestMachine } from "./machines.js";

const user: ClientRequest = { scope: "user", remove: false, entry: {} };
const remove: ClientRequest = { ...user, remove: true };
const options = { tools: "full", space: "notes" } as const;
const START = "[/opt/node/bin/node][/opt/cambium/bin/cambium.mjs][mcp]";

const run = async (id: string, request: ClientRequest, machine: TestMachine) =>
  await doStep(planClient(clientNamed(id), request, machine), machine);

const jsonEntry = (env: object) =>
  JSON.stringify({ command: "/opt/node/bin/node", args: ["/opt/cambium/bin/cambium.mjs", "mcp"], env });

describe("an agent's own command", () => {
  test("[SU10] claude adds with every option before the name, and none that swallows it", async () => {
    await using machine = await makeMachine();
    await machine.command(
      "claude",
      `printf '{"mcpServers":{"cambium":${jsonEntry({})}}}' > "$HOME/.claude.json"`,
    );
    const home = { ...machine, run: machine.run };
    expect(await run("claude-code", user, home)).toMatchObject({
      status: "set-up",
      action: { kind: "command" },
    });
    expect(await machine.callsOf("claude")).toEqual([
      `[mcp][add][--transport][stdio][--scope][user][cambium][--]${START}`,
    ]);
  });

  test("[SU10] claude refuses to add twice: what is there goes first", async () => {
    await using machine = await makeMachine();
    await machine.command("claude");
    await machine.write("home/.claude.json", `{"mcpServers":{"cambium":${jsonEntry({ KEEP: "1" })}}}`);
    const step = await run("claude-code", { ...user, entry: options }, machine);
    expect(await machine.callsOf("claude")).toEqual([
      "[mcp][remove][--scope][user][cambium]",
      `[mcp][add][--env][KEEP=1][--env][CAMBIUM_SPACE=notes][--env][CAMBIUM_TOOLS=full][--transport][stdio][--scope][user][cambium][--]${START}`,
    ]);
    expect(step).toMatchObject({ status: "updated", note: expect.stringContaining("does not show it") });
  });

  test("[SU10] codex, gemini and code are called as they want to be", async () => {
    await using machine = await makeMachine();
    for (const name of ["codex", "gemini", "code"]) await machine.command(name);
    const request = { ...user, entry: { space: "notes" } };
    for (const id of ["codex", "gemini-cli", "vscode"]) await run(id, request, machine);
    expect(await machine.callsOf("codex")).toEqual([
      `[mcp][add][cambium][--env][CAMBIUM_SPACE=notes][--]${START}`,
    ]);
    expect(await machine.callsOf("gemini")).toEqual([
      `[mcp][add][--scope][user][--env][CAMBIUM_SPACE=notes][cambium]${START}`,
    ]);
    const [call = ""] = await machine.callsOf("code");
    expect(call.startsWith("[--add-mcp][")).toBe(true);
    expect(JSON.parse(call.slice("[--add-mcp][".length, -1))).toEqual({
      ...{ name: "cambium", type: "stdio", command: "/opt/node/bin/node" },
      ...{ args: ["/opt/cambium/bin/cambium.mjs", "mcp"], env: { CAMBIUM_SPACE: "notes" } },
    });
  });

  test("[SU10] what a command cannot say is written into the file instead", async () => {
    await using machine = await makeMachine();
    await machine.command("gemini");
    const step = await run("gemini-cli", { ...user, entry: { branch: "a=b" } }, machine);
    expect(step).toMatchObject({ status: "set-up", action: { kind: "file" } });
    expect(await machine.callsOf("gemini")).toEqual([]);
  });

  test("[SU10] they take out what they put in", async () => {
    await using machine = await makeMachine();
    for (const name of ["claude", "codex", "gemini"]) await machine.command(name);
    const others = `{"mcpServers":{"cambium":${jsonEntry({})},"other":{}}}`;
    await machine.write("home/.claude.json", others);
    await machine.write("home/.gemini/settings.json", others);
    await machine.write(
      "home/.codex/config.toml",
      '[mcp_servers.cambium]\ncommand = "cambium"\nargs = ["mcp"]\n',
    );
    for (const id of ["claude-code", "codex", "gemini-cli"]) {
      expect(await run(id, remove, machine)).toMatchObject({
        status: "removed",
        action: { kind: "command" },
      });
    }
    expect(await machine.callsOf("claude")).toEqual(["[mcp][remove][--scope][user][cambium]"]);
    expect(await machine.callsOf("codex")).toEqual(["[mcp][remove][cambium]"]);
    expect(await machine.callsOf("gemini")).toEqual(["[mcp][remove][--scope][user][cambium]"]);
  });

  test("[SU11] one that fails is told of, and the file is edited instead", async () => {
    await using machine = await makeMachine();
    await machine.command("claude", "echo 'error: unknown option --transport' >&2; exit 1");
    const file = await machine.write("home/.claude.json", '{ "numStartups": 3 }\n');
    const step = await run("claude-code", user, machine);
    expect(step).toMatchObject({ status: "set-up", action: { kind: "file" } });
    expect(step.note).toBe(
      "`claude mcp add` ended with 1 (error: unknown option --transport). The file was edited instead.",
    );
    expect(presentIn(file, clientNamed("claude-code")).found?.entry.args).toContain("mcp");
    expect(await machine.read(`${file}.before-cambium`)).toBe('{ "numStartups": 3 }\n');
    expect(await run("claude-code", remove, machine)).toMatchObject({
      status: "removed",
      action: { kind: "file" },
    });
    expect(await machine.read(file)).toBe('{ "numStartups": 3 }\n');
  });

  test("[SU11] a table that codex wrote is only touched by codex", async () => {
    await using machine = await makeMachine();
    const text = '[mcp_servers.cambium]\ncommand = "cambium"\nargs = ["mcp"]\n';
    const file = await machine.write("home/.codex/config.toml", text);
    for (const request of [remove, { ...user, entry: options }]) {
      const refused = await run("codex", request, machine);
      expect(refused).toMatchObject({
        status: "failed",
        error: { hint: expect.stringContaining("codex mcp remove") },
      });
    }
    expect(await machine.read(file)).toBe(text);
    await machine.command("codex", "exit 7");
    expect(await run("codex", remove, machine)).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("ended with 7") },
    });
  });

  test("[SU11] on Windows, where commands are scripts for a shell, files are edited", async () => {
    await using machine = await makeMachine({ platform: "win32" });
    await machine.command("claude.cmd");
    expect(planClient(clientNamed("claude-code"), user, machine).action).toMatchObject({ kind: "file" });
  });

  test("[SU7] a project's file is never left to a command", async () => {
    await using machine = await makeMachine();
    await machine.command("claude");
    const step = planClient(clientNamed("claude-code"), { ...user, scope: "project" }, machine);
    expect(step.action).toMatchObject({ kind: "file" });
  });
});
