/**
 * Runs vitest and counts what it found.
 *
 * @module
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInForeground } from "./process.mjs";
import { NODE, ROOT, toolPath } from "./setup.mjs";

/**
 * Runs the tests on this terminal.
 *
 * @param {readonly string[]} args - file filters and options for vitest
 * @param {Record<string, string>} env - added to the environment
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function runVitest(args, env) {
  const dir = await mkdtemp(join(tmpdir(), "cambium-vitest-"));
  const report = join(dir, "report.json");
  try {
    const code = await runInForeground(
      NODE,
      [
        toolPath("vitest", "vitest.mjs"),
        "run",
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${report}`,
        ...args,
      ],
      { cwd: ROOT, env: { ...process.env, ...colors(), ...env } },
    );
    return countResults(await readFile(report, "utf8").catch(() => "{}"), code);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Escape codes help on a terminal and hide the words in a log. */
function colors() {
  return process.stdout.isTTY ? {} : { NO_COLOR: "1" };
}

/** A file that failed before its first test, and a run that failed outside all tests, count as one each. */
function countResults(report, code) {
  const { testResults = [], numPassedTests = 0, numFailedTests = 0, numTotalTests = 0 } = JSON.parse(report);
  const brokenFiles = testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
  const failed = numFailedTests + brokenFiles;
  return {
    passed: numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: numTotalTests - numPassedTests - numFailedTests,
  };
}
