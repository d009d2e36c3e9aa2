import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentClient } from "../../src/setup/client.js";
import { AGENT_CLIENTS, clientNamed, isInstalled } from "../../src/setup/clients.js";
import { type ClientRequest, planClient, presentIn, settingsPath } from "../../src/setup/plan-client.js";
import { doStep, type Step } from "../../src/setup/step.js";
import { BROKEN, settingsFixtures } from "./fixtures/settings.js";
import { makeMachine, type TestMachine } from "./machines.js";

const user: ClientRequest = { scope: "user", remove: false, entry: {} };
const project: ClientRequest = { ...user, scope: "project" };
const PLAIN = { command: "/opt/node/bin/node", args: ["/opt/cambium/bin/cambium.mjs", "mcp"], env: {} };

const run = async (client: AgentClient, request: ClientRequest, machine: TestMachine): Promise<Step> =>
  await doStep(planClient(client, request, machine), machine);

function entryIn(client: AgentClient, machine: TestMachine, scope: "user" | "project" = "user") {
  const file = settingsPath(client, scope, machine);
  if (file === undefined) throw new Error(`${client.id} has no file`);
  return presentIn(file, client).found?.entry;
}

describe.each(AGENT_CLIENTS.map((client) => [client.id, client] as const))("%s", (_id, client) => {
  const fixtures = settingsFixtures(client.format);
  const fileOf = (machine: TestMachine): string => client.userFile(machine).slice(machine.root.length + 1);

  test.each(fixtures)(
    "[SU1] [SU2] [SU3] is set up once in: $name; and taken out to the same bytes",
    async ({ text }) => {
      await using machine = await makeMachine();
      await machine.write(fileOf(machine), text);
      const before = await machine.snapshot();

      const plan = planClient(client, user, machine);
      expect(plan.status).toBe("set-up");
      expect(await machine.snapshot()).toEqual(before); // planning touches nothing

      expect(await doStep(plan, machine)).toMatchObject({ status: "set-up", action: { kind: "file" } });
      expect(entryIn(client, machine)).toEqual(PLAIN);
      const after = await machine.snapshot();
      expect(after[`${fileOf(machine)}.before-cambium`]).toBe(Buffer.from(text).toString("latin1"));
      expect(Object.keys(after)).toHaveLength(2);

      const again = await run(client, user, machine);
      expect(again).toMatchObject({ status: "already-set-up" });
      expect(again.action).toBeUndefined();
      expect(await machine.snapshot()).toEqual(after);

      expect(await run(client, { ...user, remove: true }, machine)).toMatchObject({ status: "removed" });
      expect(await machine.snapshot()).toEqual(before);
      expect(await run(client, { ...user, remove: true }, machine)).toMatchObject({ status: "not-set-up" });
    },
  );

  test("[SU1] a file that is not there is made, and goes again", async () => {
    await using machine = await makeMachine();
    expect(await run(client, user, machine)).toMatchObject({ status: "set-up" });
    expect(entryIn(client, machine)).toEqual(PLAIN);
    await run(client, { ...user, remove: true }, machine);
    expect(await machine.snapshot()).toEqual({});
  });

  test("[SU4] what is asked for goes into its environment, and what is not stays as it is", async () => {
    await using machine = await makeMachine({ env: { CAMBIUM_HOME: "../memory" } });
    const entry = { tools: "full", space: "notes", branch: 'it\'s "work" = 1', agent: "me" } as const;
    await run(client, { ...user, entry }, machine);
    const env = {
      CAMBIUM_HOME: machine.path("home", "memory"),
      CAMBIUM_SPACE: "notes",
      CAMBIUM_BRANCH: 'it\'s "work" = 1',
      CAMBIUM_AGENT: "me",
      CAMBIUM_TOOLS: "full",
    };
    expect(entryIn(client, machine)).toEqual({ ...PLAIN, env });
    expect(await run(client, user, machine)).toMatchObject({ status: "already-set-up" });
    expect(await run(client, { ...user, entry: { tools: "lean" } }, machine)).toMatchObject({
      status: "updated",
    });
    const { CAMBIUM_TOOLS: _, ...rest } = env;
    expect(entryIn(client, machine)).toEqual({ ...PLAIN, env: rest });
    await run(client, { ...user, remove: true }, machine);
    expect(await machine.snapshot()).toEqual({});
  });

  test("[SU5] after other changes it is taken out alone, and the copy stays", async () => {
    await using machine = await makeMachine();
    for (const { text } of fixtures) {
      const file = await machine.write(fileOf(machine), text);
      await run(client, user, machine);
      const grown = client.format.kind === "toml" ? "# later\n" : "// later\n";
      await machine.write(fileOf(machine), (await machine.read(file)) + grown);
      const removed = await run(client, { ...user, remove: true }, machine);
      expect(removed).toMatchObject({ status: "removed", note: expect.stringContaining("copy") });
      const left = await machine.read(file);
      expect(left).toContain("later");
      expect(left).not.toContain("cambium.mjs");
      expect(presentIn(file, client).found).toBeUndefined(); // and it is still understood
      expect(await machine.read(`${file}.before-cambium`)).toBe(text);
    }
  });

  test("[SU6] a server of that name that starts something else is left alone", async () => {
    await using machine = await makeMachine();
    const foreign =
      client.format.kind === "toml"
        ? '[mcp_servers.cambium]\nurl = "https://example.com"\n'
        : JSON.stringify({ [client.format.key]: { cambium: { command: "other", args: ["mcp"] } } });
    await machine.write(fileOf(machine), foreign);
    const before = await machine.snapshot();
    for (const remove of [false, true]) {
      const refused = await run(client, { ...user, remove }, machine);
      expect(refused).toMatchObject({ status: "failed", error: { code: "SETTINGS_REFUSED" } });
      expect(refused.error?.hint).toMatch(/\S/);
    }
    expect(await machine.snapshot()).toEqual(before);
  });

  test.skipIf(client.format.kind === "toml")(
    "[SU6] what cannot be understood is refused with its place, untouched",
    async () => {
      await using machine = await makeMachine();
      const key = client.format.kind === "jsonc" ? client.format.key : "";
      for (const { text, said } of BROKEN) {
        await machine.write(fileOf(machine), text.replaceAll("KEY", key));
        const before = await machine.snapshot();
        const refused = await run(client, user, machine);
        expect(refused).toMatchObject({ status: "failed", error: { code: "SETTINGS_REFUSED" } });
        expect(refused.error?.message).toContain(client.userFile(machine));
        expect(refused.error?.message).toContain(said);
        expect(await machine.snapshot()).toEqual(before);
      }
      await machine.write(fileOf(machine), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
      expect(await run(client, user, machine)).toMatchObject({ status: "failed" });
    },
  );

  test("[SU7] a project's file gets what works for others, too", async () => {
    await using machine = await makeMachine({ env: { CAMBIUM_HOME: "/elsewhere" } });
    await machine.command("cambium");
    await machine.write("home/project/.git/HEAD", "ref: refs/heads/main");
    const before = await machine.snapshot();
    const inside = {
      ...machine,
      cwd: await machine.write("home/project/src/x", "").then(() => machine.path("home/project/src")),
    };
    const step = planClient(client, project, inside);
    if (client.projectFile === undefined) {
      expect(step).toMatchObject({ status: "failed", error: { code: "BAD_INPUT" } });
      return;
    }
    expect(step.file).toBe(join(machine.path("home/project"), client.projectFile));
    expect(await doStep(step, inside)).toMatchObject({ status: "set-up", action: { kind: "file" } });
    expect(presentIn(step.file, client).found?.entry).toEqual({ command: "cambium", args: ["mcp"], env: {} });
    await doStep(planClient(client, { ...project, remove: true }, inside), inside);
    expect(await machine.snapshot()).toEqual({ ...before, "home/project/src/x": "" });
    expect((await readdir(machine.path("home/project"))).sort()).toEqual([".git", "src"]);
  });

  test("[SU8] it is found by its traces or its command, and otherwise not", async () => {
    await using bare = await makeMachine();
    expect(isInstalled(client, bare)).toBe(false);
    for (const command of client.commands) {
      await using machine = await makeMachine();
      await machine.command(command);
      expect(isInstalled(client, machine)).toBe(true);
    }
    await bare.write(`${client.traces(bare)[0]?.slice(bare.root.length + 1)}/x`, "");
    expect(isInstalled(client, bare)).toBe(true);
    expect(clientNamed(client.id)).toBe(client);
    expect(clientNamed(client.name.toUpperCase())).toBe(client);
  });
});

describe("where settings lie", () => {
  const pathsOn = async (platform: NodeJS.Platform, env: Record<string, string> = {}) => {
    await using machine = await makeMachine({ platform, env });
    return Object.fromEntries(
      AGENT_CLIENTS.map((client) => [client.id, client.userFile(machine).replace(machine.home, "~")]),
    );
  };
  const everywhere = {
    "claude-code": "~/.claude.json",
    cursor: "~/.cursor/mcp.json",
    codex: "~/.codex/config.toml",
    "gemini-cli": "~/.gemini/settings.json",
    windsurf: "~/.codeium/windsurf/mcp_config.json",
  };

  test("[SU8] on Linux, macOS and Windows", async () => {
    expect(await pathsOn("linux")).toEqual({
      ...everywhere,
      vscode: "~/.config/Code/User/mcp.json",
      "claude-desktop": "~/.config/Claude/claude_desktop_config.json",
      zed: "~/.config/zed/settings.json",
    });
    expect(await pathsOn("darwin", { XDG_CONFIG_HOME: "/ignored" })).toEqual({
      ...everywhere,
      vscode: "~/Library/Application Support/Code/User/mcp.json",
      "claude-desktop": "~/Library/Application Support/Claude/claude_desktop_config.json",
      zed: "~/.config/zed/settings.json",
    });
    expect(await pathsOn("win32", { APPDATA: "/roaming" })).toEqual({
      ...everywhere,
      vscode: "/roaming/Code/User/mcp.json",
      "claude-desktop": "/roaming/Claude/claude_desktop_config.json",
      zed: "/roaming/Zed/settings.json",
    });
  });

  test("[SU8] where their own variables say, and in the package that Windows gives Claude Desktop", async () => {
    const env = { CLAUDE_CONFIG_DIR: "/c", CODEX_HOME: "/x", XDG_CONFIG_HOME: "/xdg" };
    expect(await pathsOn("linux", env)).toMatchObject({
      "claude-code": "/c/.claude.json",
      codex: "/x/config.toml",
      vscode: "/xdg/Code/User/mcp.json",
      zed: "/xdg/zed/settings.json",
    });
    await using machine = await makeMachine({ platform: "win32" });
    const dir = "home/AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude";
    await machine.write(`${dir}/config.json`, "{}");
    expect(clientNamed("claude-desktop").userFile(machine)).toBe(
      machine.path(dir, "claude_desktop_config.json"),
    );
  });
});

describe("the command that is written", () => {
  const commandOn = async (id: string, machine: TestMachine) => {
    await run(clientNamed(id), user, machine);
    const { command, args } = entryIn(clientNamed(id), machine) ?? PLAIN;
    return [command, ...args];
  };

  test("[SU9] is a name where everybody finds it, and both paths where not", async () => {
    await using machine = await makeMachine();
    await machine.command("cambium");
    expect(await commandOn("cursor", machine)).toEqual(["cambium", "mcp"]);
    expect(await commandOn("claude-desktop", machine)).toEqual([PLAIN.command, ...PLAIN.args]);
    await using windows = await makeMachine({ platform: "win32" });
    await windows.command("cambium.cmd");
    expect(await commandOn("cursor", windows)).toEqual([PLAIN.command, ...PLAIN.args]);
  });

  test("[SU9] does not trust a PATH that npm made for one run", async () => {
    await using machine = await makeMachine();
    await machine.command("cambium");
    const { env } = machine;
    for (const dir of ["project/node_modules/.bin", ".npm/_npx/ab12/node_modules/.bin"]) {
      const bin = await machine.write(`${dir}/cambium`, await machine.read(machine.path("path", "cambium")));
      const { chmod } = await import("node:fs/promises");
      await chmod(bin, 0o755);
      const passing = { ...machine, env: { ...env, PATH: machine.path(dir) } };
      expect(planClient(clientNamed("cursor"), user, passing).action).toMatchObject({
        replacement: { after: expect.stringContaining("cambium.mjs") },
      });
    }
    const cached = {
      ...machine,
      bin: "/home/a/.npm/_npx/1/node_modules/x/bin/cambium.mjs",
      env: { PATH: "" },
    };
    expect(planClient(clientNamed("cursor"), user, cached).note).toContain("npx");
  });
});
