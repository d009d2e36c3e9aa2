/**
 * Fails when a name in the packages uses a word that docs/glossary.md has retired.
 *
 *   node scripts/retired-names.ts
 *
 * @module
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { retiredNames, retiredWords } from "./names.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const retired = retiredWords(readFileSync(join(ROOT, "docs", "glossary.md"), "utf8"));
if (retired.size === 0) throw new Error("docs/glossary.md has no table under 'Retired words'.");

for (const path of globSync("packages/*/src/**/*.ts", { cwd: ROOT }).toSorted())
  for (const { name, word, instead, line } of retiredNames(
    path,
    readFileSync(join(ROOT, path), "utf8"),
    retired,
  )) {
    console.error(`${path}${line === 0 ? "" : `:${line}`}: \`${name}\` uses "${word}". Use "${instead}".`);
    process.exitCode = 1;
  }
