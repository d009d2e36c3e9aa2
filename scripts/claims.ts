/**
 * Checks that each promise in the documentation names the test that carries it: see claim-audit.ts.
 *
 *   node scripts/claims.ts              says what is missing, and fails
 *   node scripts/claims.ts <page…>      looks at these pages only, audited already or not
 *
 * @module
 */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { auditPage, rulesIn } from "./claim-audit.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The pages that are audited. */
const AUDITED: readonly string[] = [
  "README.md",
  "docs/architecture.md",
  "docs/asking.md",
  "docs/automerge-repo.md",
  "docs/daemon.md",
  "docs/dependencies.md",
  "docs/glossary.md",
  "docs/governance.md",
  "docs/http.md",
  "docs/limits.md",
  "docs/mcp.md",
  "docs/protocol.md",
  "docs/recall.md",
  "docs/rollback.md",
  "docs/security.md",
  "docs/setup.md",
  "docs/tour.md",
  "docs/versions.md",
];

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
const asked = process.argv.slice(2);
const problems = (asked.length > 0 ? asked : AUDITED).flatMap((page) =>
  auditPage(read(page) ?? "", known).map(({ line, problem }) => `${page}:${line}: ${problem}`),
);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
