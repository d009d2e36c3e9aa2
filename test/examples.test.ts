import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const EXAMPLES = fileURLToPath(new URL("../examples/", import.meta.url));
const MAX_LINES = 120;
const LONG = { timeout: 120_000 };
const names = readdirSync(EXAMPLES).filter((name) => existsSync(`${EXAMPLES}${name}/package.json`));

describe("examples", () => {
  test("[EX1] each way of using a space has an example", () => {
    expect(names).toEqual(
      expect.arrayContaining([
        "concurrent-agents",
        "rollback",
        "offline-sync",
        "time-travel",
        "work-persona",
      ]),
    );
  });

  test.for(names)("[EX2] %s runs against a real relay and prints its transcript", LONG, async (name) => {
    const dir = `${EXAMPLES}${name}`;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["main.ts"], {
      cwd: dir,
      timeout: LONG.timeout,
    });
    expect(stderr).toBe("");
    expect(stdout).toBe(await readFile(`${dir}/transcript.txt`, "utf8"));
  });

  test.for(names)("[EX3] %s is a story short enough to read", async (name) => {
    const source = await readFile(`${EXAMPLES}${name}/main.ts`, "utf8");
    expect(source.split("\n").length).toBeLessThanOrEqual(MAX_LINES);
  });
});
