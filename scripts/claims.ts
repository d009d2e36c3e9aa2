/**
 * Checks that each promise in the documentation names the test that carries it: see claim-audit.ts.
 *
 *   node scripts/claims.ts              says what is missing, and fails
 *   node scripts/claims.ts <page…>      looks at these pages only
 *
 * @module
 */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { auditPage, rulesIn } from "./claim-audit.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Pages of rules, of history, and pages made from the code. Every other page is audited. */
const NOT_AUDITED = [/^docs\/spec(?:\/|\.md$)/, /^docs\/decisions\//, /^docs\/api\//, /^docs\/errors\.md$/];

const read = (path: string): string | undefined => {
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
};
const pages = (...patterns: readonly string[]): readonly string[] =>
  globSync([...patterns], { cwd: ROOT }).toSorted();

const known = {
  rules: new Set(pages("docs/spec/*.md").flatMap((page) => rulesIn(read(page) ?? ""))),
  benches: new Set(readdirSync(join(ROOT, "bench"))),
  checks: new Set(
    [...(read("scripts/checks.mjs") ?? "").matchAll(/name: "([^"]+)"/g)].map(([, name = ""]) => name),
  ),
  read,
};
const READMES = ["README.md", "packages/*/README.md", "examples/**/README.md", "bench/README.md"];
const audited = pages(...READMES, "docs/**/*.md").filter(
  (page) => !NOT_AUDITED.some((pattern) => pattern.test(page)),
);
const asked = process.argv.slice(2);
const problems = (asked.length > 0 ? asked : audited).flatMap((page) =>
  auditPage(read(page) ?? "", known).map(({ line, problem }) => `${page}:${line}: ${problem}`),
);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
