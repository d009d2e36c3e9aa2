/**
 * `npm version <version>` writes it to package.json, and runs this: every package has that version too. npm commits
 * what is staged, and tags it.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./setup.mjs";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const files = readdirSync(join(ROOT, "packages")).map((name) => join(ROOT, "packages", name, "package.json"));
for (const file of files) {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/^ {2}"version": ".*"/m, `  "version": "${version}"`));
}
execFileSync("git", ["add", ...files], { cwd: ROOT, stdio: "inherit" });
