/**
 * The page about the HTTP interface, run: every command in it, one after the other, as its reader would.
 *
 * @module
 */
import { execFile, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { daemonsIn, endDaemons } from "../packages/cambium/test/cli/daemons.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "cambium-http-"));
const cambium = join(root, "packages/cambium/bin/cambium.mjs");
const env = {
  ...process.env,
  HOME: home,
  CAMBIUM_STATE: join(home, "state"),
  NO_COLOR: "1",
  PATH: `${join(process.execPath, "..")}:${process.env.PATH}`,
};
const run = promisify(execFile);

afterAll(async () => {
  await endDaemons(home);
  rmSync(home, { recursive: true, force: true });
});

const PAGE = readFileSync(join(root, "docs/http.md"), "utf8");
const BLOCKS = [...PAGE.matchAll(/^```sh http\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);

test("[HT16] every command of the page works, and does what the page says", {
  timeout: 120_000,
}, async () => {
  const script = BLOCKS.map((code, number) => `printf "\\n== ${number}\\n"\n${code}`)
    .join("\n")
    .replaceAll("npx cambium", `'${process.execPath}' '${cambium}'`);
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], { cwd: root, env });
  const said = stdout.split(/^== \d+$/m).slice(1);
  const about = (words: string): string => said[BLOCKS.findIndex((code) => code.includes(words))] ?? "";
  expect(said).toHaveLength(BLOCKS.length);
  expect(about("call /v1/daemon\n")).toContain('"instance"');
  expect(about("Authorization")).toContain('"name":"notes"');
  expect(about("recall?query=rent")).toContain('"snippet":"The rent is 900 euro."');
  expect(about("branch=work&limit=1")).toContain("Stand-up is at nine.");
  expect(about("Cambium-Agent")).toContain("tea-bot");
  expect(about("qery")).toMatch(/recall does not take qery[\s\S]*MEMORY_NOT_FOUND[\s\S]*404/);
  expect(about("READ=").trim().split("\n")).toEqual(["2", "STALE_EXPECTATION"]);
  const [first, second, other] = about("KEY=").trim().split("\n");
  expect([second, other]).toEqual([first, "REQUEST_KEY_REUSED"]);
  expect(about("NEXT=").trim()).toBe("1");
  expect(about("/verify")).toMatch(/event: progress[\s\S]*event: result\ndata: {"ok":true/);
  expect(about("/events")).toMatch(
    /event: ready[\s\S]*id: .+\nevent: changed\ndata: {"branch":"[0-9a-f]{32}"/,
  );
  expect(about("openapi.json")).toContain("Cambium");
});

const PYTHON = join(root, "examples/python");
const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe.skipIf(!hasPython)("the example in Python", () => {
  const pythonHome = join(home, "python");
  const shims = join(home, "shims");
  const pythonEnv = {
    ...env,
    CAMBIUM_HOME: pythonHome,
    PATH: `${shims}:${env.PATH}`,
    PYTHONDONTWRITEBYTECODE: "1",
  };

  test("[HT17] the client prints its transcript, and starts the daemon where it was killed", async () => {
    mkdirSync(shims, { recursive: true });
    writeFileSync(join(shims, "npx"), `#!/bin/sh\nshift\nexec '${process.execPath}' '${cambium}' "$@"\n`);
    chmodSync(join(shims, "npx"), 0o755);
    await run(join(shims, "npx"), ["cambium", "init", "notes"], { env: pythonEnv });
    const [pid] = daemonsIn(pythonHome);
    if (pid === undefined) throw new Error("No daemon was started.");
    process.kill(pid, "SIGKILL");
    const { stdout, stderr } = await run("python3", ["example.py"], { cwd: PYTHON, env: pythonEnv });
    expect(stderr).toBe("");
    expect(stdout).toBe(readFileSync(join(PYTHON, "transcript.txt"), "utf8"));
    expect(daemonsIn(pythonHome)).not.toContain(pid);
  }, 60_000);
});
