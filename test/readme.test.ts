/**
 * The README and the tour, run: the quick start and the tour against what `npm start` starts, and the examples
 * in TypeScript.
 *
 * @module
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { endDaemons } from "../packages/cambium/test/cli/daemons.js";
import { WarmCommand } from "./support/warm-command.js";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "cambium-readme-"));
const env = {
  ...process.env,
  HOME: home,
  CAMBIUM_HOME: "",
  CAMBIUM_STATE: join(home, "state"),
  NO_COLOR: "1",
};
let start: ChildProcess | undefined;

/** Code blocks opened with exactly these words after the backticks. */
const blocks = (page: string, language: string): string =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
    .filter(([, words]) => words === language)
    .map(([, , code]) => code)
    .join("\n");

async function startedRelay(): Promise<string> {
  const child = spawn("node", ["scripts/start.mjs", "--port", "0"], {
    cwd: root,
    env: { ...env, CAMBIUM_HOME: undefined },
  });
  start = child;
  let output = "";
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const url = /relay\s+(http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1];
      if (url !== undefined && output.includes("Ctrl-C")) resolve(url);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on("exit", (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
  });
}

let relay = "";
beforeAll(async () => {
  vi.stubEnv("CAMBIUM_STATE", env.CAMBIUM_STATE); // of the command in this process
  relay = await startedRelay();
}, 120_000);

afterAll(async () => {
  start?.removeAllListeners("exit");
  const code = new Promise((resolve) => start?.once("exit", resolve));
  start?.kill("SIGTERM");
  expect(await code).toBe(0);
  await endDaemons(home);
  rmSync(home, { recursive: true, force: true });
});

const cambium = `'${process.execPath}' '${join(root, "packages/cambium/bin/cambium.mjs")}'`;

test("[DO1] the quick start of the README works", { timeout: 120_000 }, async () => {
  const script = blocks("README.md", "sh quickstart").replaceAll("npx cambium", cambium);
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], { cwd: root, env });
  expect(stdout).toMatch(/Staging deploys on Thursdays[\s\S]*every night[\s\S]*Nothing is wrong\./);
});

test("[DO1] [CL12] the tour does what its page says", { timeout: 180_000 }, async () => {
  await using command = await WarmCommand.start(home);
  const script = blocks("docs/tour.md", "sh tour")
    .replaceAll("http://127.0.0.1:4141", relay)
    .replaceAll("npx cambium", "warm_cambium");
  const tour = `${command.named("warm_cambium")}\n${script}\ndesk list --json > "$HOME/desk.json"; laptop list --json > "$HOME/laptop.json"; laptop list --at "$BEFORE" --json > "$HOME/past.json"; laptop recall launch budget --at "$BEFORE" --json > "$HOME/recalled.json"`;
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", tour], { cwd: root, env });

  expect(stdout).toContain("nothing was merged yet: a conflict is open");
  expect(stdout).toMatch(/Imported Markdown: 2 new[\s\S]*Took back .*2 memories/);
  expect(stdout).toMatch(/notes +\S+ +yes .*\nwork +\S+ +admin +http/);
  const contents = (name: string): readonly string[] =>
    JSON.parse(readFileSync(join(home, `${name}.json`), "utf8")).memories.map(
      ({ content }: { content: string }) => content,
    );
  expect(contents("laptop").toSorted()).toEqual([
    "Calls the client on Mondays.",
    "Releases are cut on Thursdays.",
    "Rival A starts in May.",
    "Rival B may have no app.",
    "The launch budget is 60,000 euro, plus 5,000 for travel.",
  ]);
  expect(contents("desk")).toEqual(contents("laptop"));
  expect(contents("past")).toHaveLength(2);
  expect(contents("past").join()).not.toContain("travel");
  expect(contents("recalled")).toEqual([expect.stringMatching(/^The launch budget is [67]0,000 euro\.$/)]);
});

test.each([
  [
    "docs/tour.md",
    "The user prefers long answers.\nThe user prefers answers in Korean: 짧은 대답.\nThe user prefers short answers.",
  ],
  ["packages/client/README.md", "1"],
  ["packages/cambium/README.md", "1"],
  ["packages/core/README.md", "work-persona time"],
])(
  "[DO2] the example of %s runs and prints what its comment says",
  { timeout: 120_000 },
  async (page, printed) => {
    const code = blocks(page, "ts").replace("./memory", mkdtempSync(join(home, "library-")));
    const { stdout } = await run(process.execPath, ["--input-type=module-typescript", "-e", code], {
      cwd: root,
      env,
    });
    expect(stdout.trim()).toBe(printed);
  },
);
