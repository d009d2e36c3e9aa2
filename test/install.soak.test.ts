/**
 * The same as install.test.ts under the oldest and a new Node, of each package by itself, and what a Node says that is
 * too old. The Nodes come from the npm package "node".
 */
import { execFileSync, spawnSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endDaemons } from "../packages/cambium/test/cli/daemons.js";
import { Installed, install, pack } from "./support/installed.js";
import { syncTwoHomes, useMcp, useTheCommand, useTheLibraries } from "./support/journeys.js";

const OLDEST = ["22.16.0", "24.0.0"];
const TOO_OLD = ["18.20.8", "20.19.0", "22.15.1", "23.11.1"];
const MEGABYTE = 1_000_000;

const dir = mkdtempSync(join(tmpdir(), "cambium-install-soak-"));
let tarballs: Awaited<ReturnType<typeof pack>>;
let all = "";

beforeAll(async () => {
  tarballs = await pack(join(dir, "tarballs"));
  all = await installed("all", Object.values(tarballs));
}, 600_000);

afterAll(async () => {
  await endDaemons(dir);
  rmSync(dir, { recursive: true, force: true });
}, 60_000);

async function installed(name: string, specs: readonly string[]): Promise<string> {
  const folder = join(dir, name);
  expect(await install(folder, specs)).toBe(true);
  return folder;
}

async function nodeOf(version: string): Promise<string> {
  const folder = await installed(`node-${version}`, [`node@${version}`]);
  return join(folder, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
}

test.each([process.versions.node, ...OLDEST])(
  "[PK4] [PK5] [PK6] everything works under Node %s",
  async (version) => {
    const node = version === process.versions.node ? process.execPath : await nodeOf(version);
    expect(execFileSync(node, ["--version"], { encoding: "utf8" }).trim()).toBe(`v${version}`);
    const somebody = new Installed(all, node);
    const place = mkdtempSync(join(dir, "place-"));
    await useTheCommand(somebody, place);
    await useMcp(somebody, place);
    await useTheLibraries(somebody, place);
    await syncTwoHomes(somebody, place);
  },
);

test.each(TOO_OLD)("[PK1] Node %s gets one sentence from every entry", async (version) => {
  const node = await nodeOf(version);
  const sentence = `needs Node 22.16 or later (not 23), and this is Node ${version}: install one from https://nodejs.org.`;
  const doors = ["@cambium/core", "@cambium/core/text", "@cambium/client", "@cambium/client/embedders"];
  for (const door of [...doors, "@cambium/sync-server", "cambium"]) {
    const code = `import("${door}").catch(({ code, message }) => console.log(code + " " + message));`;
    expect(execFileSync(node, ["-e", code], { cwd: all, encoding: "utf8" }).trim()).toBe(
      `OLD_NODE Cambium ${sentence}`,
    );
  }
  const somebody = new Installed(all, node);
  for (const name of ["cambium", "cambium-relay"] as const) {
    const [command, args] = somebody.command(name, ["--version"]);
    const { status, stderr } = spawnSync(command, args, { encoding: "utf8", env: somebody.env(dir) });
    expect([status, stderr.trim()]).toEqual([1, `${name} ${sentence}`]);
  }
});

test("[PK8] the library and the command are small by themselves", async () => {
  const { core, client, cambium } = tarballs;
  const library = await installed("library", [core, client]);
  const command = await installed("command", [core, client, cambium]);
  expect(sizeOf(library)).toBeLessThan(40 * MEGABYTE);
  expect(sizeOf(command)).toBeLessThan(60 * MEGABYTE);
});

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => lstatSync(join(folder, file)).size)
    .reduce((sum, size) => sum + size, 0);
