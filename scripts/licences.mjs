/**
 * The licence texts of other people's packages, for what goes into files of ours.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const NAMES = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license", "LICENCE"];

/**
 * @param {readonly string[]} files - modules, of which those below a `node_modules` count
 * @returns {Promise<string>} name, version and text of each package that one of them is of
 */
export async function licencesOf(files) {
  const packages = new Set(
    files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
  const texts = await Promise.all([...packages].sort().map(licenceOf));
  return texts.join("\n\n");
}

async function licenceOf(dir) {
  const { name, version, license } = JSON.parse(await readFile(join(dir, "package.json"), "utf8"));
  const texts = await Promise.all(
    NAMES.map((file) => readFile(join(dir, file), "utf8").catch(() => undefined)),
  );
  const text = texts.find((found) => found !== undefined);
  return `${name} ${version} (${license})\n\n${text ?? ""}`;
}
