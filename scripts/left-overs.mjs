/**
 * What the compiler once wrote of sources that have been moved or removed since: it deletes nothing, and those who pack
 * or loads all of `dist` would get code that is no longer there.
 *
 * @module
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const WRITTEN = /\.(?:js|d\.ts)(?:\.map)?$/;

/** @param {string} packages - the folder of the packages */
export function removeLeftOvers(packages) {
  for (const name of readdirSync(packages).filter((name) => name !== "web"))
    removeFrom(join(packages, name, "dist"), join(packages, name, "src"));
}

function removeFrom(dist, src) {
  if (!existsSync(dist)) return;
  const sources = new Set(readdirSync(src, { recursive: true }).map((path) => path.replace(/\.ts$/, "")));
  for (const path of readdirSync(dist, { recursive: true })) {
    const isBundled = /^(?:bundle|page)\b/.test(path);
    if (!isBundled && WRITTEN.test(path) && !sources.has(path.replace(WRITTEN, ""))) rmSync(join(dist, path));
  }
}
