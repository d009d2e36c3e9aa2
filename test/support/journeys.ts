/** What somebody does who has installed our packages: each throws where it does not go as the pages say. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "vitest";
import { exampleIn, type Installed } from "./installed.js";

export async function useTheCommand(installed: Installed, dir: string): Promise<void> {
  const home = madeIn(dir, "home");
  await installed.cambium(home, "init", "notes");
  await installed.cambium(home, "remember", "Staging deploys on Thursdays", "--tag", "deploy");
  expect(await installed.cambium(home, "recall", "when does staging deploy")).toContain("Thursdays");
}

export async function useMcp(installed: Installed, dir: string): Promise<void> {
  const home = madeIn(dir, "agent");
  await installed.cambium(home, "init", "notes");
  const [command, args] = installed.command("cambium", ["mcp"]);
  const env = installed.env(home) as Record<string, string>;
  const client = new Client({ name: "an agent", version: "1" });
  await client.connect(
    new StdioClientTransport({ command, args: [...args], env, cwd: home, stderr: "pipe" }),
  );
  try {
    await client.callTool({ name: "remember", arguments: { content: "The door code has changed." } });
    const { content } = await client.callTool({ name: "recall", arguments: { query: "door code" } });
    expect(JSON.stringify(content)).toContain("The door code has changed.");
  } finally {
    await client.close();
  }
}

/** The examples of the readmes. */
export async function useTheLibraries(installed: Installed, dir: string): Promise<void> {
  const printed: string[] = [];
  for (const name of ["client", "cambium", "core", "sync-server"]) {
    const memory = JSON.stringify(join(dir, `memory-of-${name}`));
    const code = exampleIn(`packages/${name}/README.md`)
      .replace(/"\.\/memory"|"relay-data"/, memory)
      .replace("port: 8730", "port: 0");
    const { stdout } = await installed.program(forAnyNode(code));
    printed.push(stdout.trim());
  }
  const relay = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ \S+$/);
  expect(printed).toEqual(["1", "1", "work-persona time", relay]);
}

/** `await using` is a word of TypeScript and of Node 24. */
function forAnyNode(code: string): string {
  const [opening, name] = /await using (\w+)/.exec(code) ?? [];
  return opening === undefined ? code : `${code.replace(opening, `const ${name}`)}\nawait ${name}.close();`;
}

export async function syncTwoHomes(installed: Installed, dir: string): Promise<void> {
  const [laptop, desk] = [madeIn(dir, "laptop"), madeIn(dir, "desk")];
  await installed.withRelay(madeIn(dir, "relay"), async ({ url, adminToken }) => {
    await installed.cambium(laptop, "init", "shared", "--relay", url, "--token", adminToken);
    await installed.cambium(laptop, "remember", "Releases are cut on Thursdays");
    const invited = JSON.parse(await installed.cambium(laptop, "invite", "--role", "write", "--json"));
    await installed.cambium(desk, "join", invited.invitation);
    await installed.cambium(desk, "sync");
    expect(await installed.cambium(desk, "recall", "when are releases cut")).toContain("Thursdays");
    await installed.cambium(desk, "remember", "Staging deploys on Mondays");
    await installed.cambium(desk, "sync");
    await installed.cambium(laptop, "sync");
    expect(await installed.cambium(laptop, "recall", "when does staging deploy")).toContain("Mondays");
  });
}

function madeIn(dir: string, name: string): string {
  const path = join(dir, name);
  mkdirSync(path, { recursive: true });
  return path;
}
