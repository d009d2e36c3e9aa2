/**
 * A package as it is published, in a folder: what its entry points and commands need, and nothing else.
 *
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import { copyFile, cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { publishedManifest } from "./manifest.mjs";
import { importsOf, reachable, withRenamedImports } from "./modules.mjs";
import { placeOf, writeOthers } from "./others.mjs";

/** The command runs from its bundle, which has the library and the relay inside. */
const WITHOUT = { cambium: ["dist/cli/main.js"] };
const LICENCES_OF_BUNDLE = "dist/bundle/LICENSES.txt";
const SOURCE_MAP = /^\/\/# sourceMappingURL=.*\n?/gm;
/** To files of the workspace, which are not beside a published readme. */
const LINK_INSIDE = /\[([^\]]+)\]\(\.\.?\/[^)]*\)/g;

/**
 * @param {string} name - of a folder in packages/
 * @param {string} root - of the workspace
 * @param {string} to - an empty folder
 * @param {string} version
 */
export async function stage(name, root, to, version) {
  const from = join(root, "packages", name);
  const manifest = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  const files = await filesOf(name, from, manifest);
  const used = new Set([...files].flatMap(importsOf));
  for (const file of files) await copy(name, file, join(to, relative(from, file)));
  await copyWhole(from, to, "dist/page");
  await copyWhole(from, to, "models");
  const exports = await writeOthers(name, from, to, used);
  await renameInOthers(name, to);
  const published = publishedManifest(manifest, version, exports, used);
  await writeFile(join(to, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  const readme = readFileSync(join(from, "README.md"), "utf8");
  await writeFile(join(to, "README.md"), readme.replace(LINK_INSIDE, "$1"));
  await copyFile(join(root, "LICENSE"), join(to, "LICENSE"));
}

async function filesOf(name, from, { exports, bin = {} }) {
  const at = (file) => join(from, file);
  const doors = Object.values(exports);
  const without = (WITHOUT[name] ?? []).map(at);
  const files = new Set([
    ...reachable([...doors.map((door) => at(door.default)), ...Object.values(bin).map(at)], without),
    ...reachable(doors.map(({ types }) => at(types))),
  ]);
  if (existsSync(at(LICENCES_OF_BUNDLE))) files.add(at(LICENCES_OF_BUNDLE));
  return files;
}

async function copy(name, file, target) {
  await mkdir(dirname(target), { recursive: true });
  if (file.endsWith(".txt")) await copyFile(file, target);
  else await writeFile(target, packed(name, readFileSync(file, "utf8"), file));
}

/** What is no module, byte for byte: the page that the daemon serves, and the weights of `ask`. */
async function copyWhole(from, to, folder) {
  if (existsSync(join(from, folder))) await cp(join(from, folder), join(to, folder), { recursive: true });
}

/** Without maps: they point to sources, which are not there. */
const packed = (name, source, file) =>
  withRenamedImports(source, file, (asked) => placeOf(name, asked)).replace(SOURCE_MAP, "");

async function renameInOthers(name, to) {
  const folder = join(to, "dist", "others");
  if (!existsSync(folder)) return;
  for (const entry of await readdir(folder)) {
    const file = join(folder, entry);
    if (entry.endsWith(".js")) await writeFile(file, packed(name, readFileSync(file, "utf8"), file));
  }
}
