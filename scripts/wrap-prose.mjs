/**
 * The prose of Markdown files, at most 100 characters a line.
 *
 *   node scripts/wrap-prose.mjs [file…]            fills the paragraphs with a longer line, in all files or these
 *   node scripts/wrap-prose.mjs --all [file…]      fills every paragraph again
 *   node scripts/wrap-prose.mjs --check [file…]    fails when a line is longer
 *
 * @module
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { longLines, wrapProse } from "./prose.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean" }, check: { type: "boolean" } },
});
const isForeign = (path) => /(?:^|\/)(?:node_modules|dist)(?:\/|$)/.test(path);
const pages =
  positionals.length > 0 ? positionals : globSync("**/*.md", { cwd: ROOT, exclude: isForeign }).sort();

if (positionals.length === 0) process.chdir(ROOT);
for (const path of pages) {
  const page = readFileSync(path, "utf8");
  if (options.check) report(path, longLines(page));
  else {
    const wrapped = wrapProse(page, { all: options.all ?? false });
    if (wrapped !== page) writeFileSync(path, wrapped);
  }
}

function report(path, lines) {
  for (const { line, length } of lines) console.error(`${path}:${line} has ${length} characters.`);
  if (lines.length > 0) process.exitCode = 1;
}
