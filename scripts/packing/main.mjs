/**
 * Writes `dist/*.tgz`: every package as npm installs it. Started by `npm run pack`.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { capture, runCommand, StepError } from "../process.mjs";
import { stage } from "./stage.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** In the order in which they are published: each after those it depends on. */
const PACKAGES = ["core", "client", "sync-server", "cambium"];

runCommand(async () => {
  const out = resolve(process.argv[2] ?? join(ROOT, "dist"));
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const staged = PACKAGES.map((name) => join(out, "packages", name));
  await removeOld(out);
  for (const [at, name] of PACKAGES.entries()) {
    await mkdir(staged[at], { recursive: true });
    await stage(name, ROOT, staged[at], version);
  }
  await npmPack(staged, out);
});

async function removeOld(out) {
  await rm(join(out, "packages"), { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  for (const name of await readdir(out)) if (name.endsWith(".tgz")) await rm(join(out, name));
}

async function npmPack(folders, out) {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { code, output } = await capture(npm, ["pack", "--json", "--pack-destination", out, ...folders], {
    shell: process.platform === "win32",
  });
  if (code !== 0) throw new StepError("npm could not pack: see the output above.", output);
  for (const one of packedIn(output)) {
    const kilobytes = (bytes) => `${Math.round(bytes / 1000)} KB`;
    console.log(`${one.filename}: ${kilobytes(one.size)}, unpacked ${kilobytes(one.unpackedSize)}`);
  }
}

/** npm's warnings stand around its answer; newer versions answer with an object by name. */
function packedIn(output) {
  const start = output.search(/^[[{]/m);
  const end = Math.max(output.lastIndexOf("]"), output.lastIndexOf("}"));
  return Object.values(JSON.parse(output.slice(start, end + 1)));
}
