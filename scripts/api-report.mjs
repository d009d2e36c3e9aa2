/**
 * What each package shows to those who install it: every exported name with its declaration, and every type that
 * these mention. Written to docs/api/, so that a change of the surface is seen where changes are read.
 *
 *   node scripts/api-report.mjs            writes the reports
 *   node scripts/api-report.mjs --check    fails when one is not what the packages show
 *
 * @module
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { surfaceOf } from "./declarations.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const REPORTS = join(ROOT, "docs", "api");

function* packages() {
  for (const folder of readdirSync(join(ROOT, "packages")).sort()) {
    const manifest = textOf(join(ROOT, "packages", folder, "package.json"));
    if (manifest === undefined) continue;
    const { name, exports = {} } = JSON.parse(manifest);
    const entries = Object.entries(exports)
      .filter(([, target]) => typeof target === "object")
      .map(([door, { types }]) => ({ door, path: join(ROOT, "packages", folder, types) }));
    if (entries.length > 0) yield { name, entries };
  }
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function reportOf(name, entries) {
  const lines = [
    `# What ${name} shows`,
    "",
    "Made by `node scripts/api-report.mjs`; compared by `npm run check`.",
  ];
  for (const { door, path } of entries) {
    const { shown, mentioned } = surfaceOf(path);
    const specifier = door === "." ? name : `${name}${door.slice(1)}`;
    lines.push("", `## ${specifier}`, "", `${shown.length} names.`, "", ...blockOf(shown));
    if (mentioned.length > 0) lines.push("", "Mentioned, and not exported:", "", ...blockOf(mentioned));
  }
  return `${lines.join("\n")}\n`;
}

const blockOf = (texts) => ["```ts", ...texts, "```"];

const isCheck = process.argv.includes("--check");
const stale = [];
for (const { name, entries } of packages()) {
  const path = join(REPORTS, `${name.replace("@cambium/", "")}.md`);
  const report = reportOf(name, entries);
  if (isCheck && textOf(path) !== report) stale.push(path);
  if (isCheck) continue;
  mkdirSync(REPORTS, { recursive: true });
  writeFileSync(path, report);
}
if (stale.length > 0) {
  console.error(
    `What these packages show has changed:\n${stale.map((path) => `  ${basename(path)}\n`).join("")}`,
  );
  process.exitCode = 1;
}
