/**
 * What each package shows to those who install it: every exported name with its declaration, and every type that
 * these mention. Written to docs/api/, so that a change of the surface is seen where changes are read.
 *
 *   node scripts/api-report.mjs            writes the reports
 *   node scripts/api-report.mjs --check    fails when one is not what the packages show, or when something shown has no
 *                                          doc comment
 *
 * @module
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { surfaceOf } from "./declarations.mjs";
import { undocumentedIn } from "./doc-comments.ts";

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
    const { shown, mentioned, declared } = surfaceOf(path);
    for (const { name: own, path: file } of declared)
      namesByFile.set(file, (namesByFile.get(file) ?? new Set()).add(own));
    const specifier = door === "." ? name : `${name}${door.slice(1)}`;
    lines.push("", `## ${specifier}`, "", `${shown.length} names.`, "", ...blockOf(shown));
    if (mentioned.length > 0) lines.push("", "Mentioned, and not exported:", "", ...blockOf(mentioned));
  }
  return `${lines.join("\n")}\n`;
}

const blockOf = (texts) => ["```ts", ...texts, "```"];

/** @returns a line for each public name and member without a doc comment */
function undocumented() {
  return [...namesByFile].flatMap(([file, names]) => {
    const source = relative(ROOT, file)
      .replace("/dist/", "/src/")
      .replace(/\.d\.ts$/, ".ts");
    return undocumentedIn(readFileSync(file, "utf8"), names).map((name) => `  ${source}: ${name}\n`);
  });
}

const isCheck = process.argv.includes("--check");
const stale = [];
/** What the packages show, by the file of declarations that has it. */
const namesByFile = new Map();
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
const bare = isCheck ? undocumented() : [];
if (bare.length > 0) {
  console.error(
    `These are public and have no doc comment. Say what their names do not: unit, default, bounds, when they are absent, errors.\n${bare.join("")}`,
  );
  process.exitCode = 1;
}
