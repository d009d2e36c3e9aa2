/**
 * The static checks of `npm test` and `npm run check`.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { capture } from "./process.mjs";
import { build, NODE, ROOT, toolPath } from "./setup.mjs";

const tool =
  (name, file, ...args) =>
  () =>
    capture(NODE, [toolPath(name, file), ...args], { cwd: ROOT });

/** Each counts as one test. Types come first: the build is also what later steps run. */
const CHECKS = [
  { name: "types of the packages", run: build },
  {
    name: "types of tests, examples and benchmarks",
    run: tool("typescript", "bin/tsc", "-p", "tsconfig.test.json"),
  },
  {
    name: "lint and format",
    run: tool("@biomejs/biome", "bin/biome", "check", "--error-on-warnings", "--colors=off"),
    advice: "`npm run format` mends most of it",
  },
  {
    name: "import directions and cycles",
    run: tool("dependency-cruiser", "bin/dependency-cruiser.mjs", "--config", "--", ...foldersWithCode()),
  },
  {
    name: "what each package shows, against docs/api, and its doc comments",
    run: () => capture(NODE, [join(ROOT, "scripts", "api-report.mjs"), "--check"], { cwd: ROOT }),
    advice: "`node scripts/api-report.mjs` writes docs/api: commit the difference if it is meant",
  },
  {
    name: "the interface that the web page uses, against the daemon's",
    run: () =>
      capture(NODE, [join(ROOT, "packages", "web", "scripts", "api-types.mjs"), "--check"], { cwd: ROOT }),
    advice: "`node packages/web/scripts/api-types.mjs` writes it",
  },
  {
    name: "layers, against docs/architecture.md",
    run: () => capture(NODE, [join(ROOT, "scripts", "layers-table.mjs"), "--check"], { cwd: ROOT }),
    advice: "`node scripts/layers-table.mjs` writes them",
  },
  {
    name: "decisions, against their index",
    run: () => capture(NODE, [join(ROOT, "scripts", "decisions.ts"), "--check"], { cwd: ROOT }),
    advice: "docs/decisions/README.md shows the header; `node scripts/decisions.ts` writes the index",
  },
  {
    name: "promises of the pages, against the tests",
    run: () => capture(NODE, [join(ROOT, "scripts", "claims.ts")], { cwd: ROOT }),
    advice: "docs/decisions/0043 says how a promise names its test",
  },
  {
    name: "width of prose",
    run: () => capture(NODE, [join(ROOT, "scripts", "wrap-prose.mjs"), "--check"], { cwd: ROOT }),
    advice: "`npm run format` fills it",
  },
  {
    name: "names, against the words that the glossary has retired",
    run: () => capture(NODE, [join(ROOT, "scripts", "retired-names.ts")], { cwd: ROOT }),
    advice: "docs/glossary.md says what to use instead",
  },
  {
    name: "unused files, exports and dependencies",
    run: tool("knip", "bin/knip.js", "--no-progress", "--no-config-hints"),
  },
];

/**
 * Runs all checks and prints a line for each, with the tool's words when it fails.
 *
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runChecks() {
  let failed = 0;
  for (const { name, run, advice } of CHECKS) {
    const start = performance.now();
    const { code, output } = await run();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${code === 0 ? "✓" : "✗"} ${name} (${seconds} s)`);
    if (code === 0) continue;
    failed += 1;
    console.log(`${output.trimEnd().replace(/^/gm, "  ")}\n`);
    if (advice !== undefined) console.log(`  ${advice}\n`);
  }
  return { passed: CHECKS.length - failed, failed };
}

function foldersWithCode() {
  return ["packages", "examples", "bench", "test"].filter((folder) => existsSync(join(ROOT, folder)));
}
