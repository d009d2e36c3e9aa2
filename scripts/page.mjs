/**
 * Builds the web page and puts it where the daemon serves it from. Does nothing where there is no page, or nothing has
 * changed since.
 *
 * @module
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { cp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { capture, runCommand, StepError } from "./process.mjs";

const WEB = fileURLToPath(new URL("../packages/web/", import.meta.url));
const BUILT = join(WEB, "dist");
const SERVED = fileURLToPath(new URL("../packages/cambium/dist/page", import.meta.url));
/** Neither is a source of the page. */
const BESIDE = new Set(["node_modules", "dist", "test"]);

const writtenAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function newestIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !BESIDE.has(name));
  const times = entries.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? newestIn(path) : writtenAt(path);
  });
  return Math.max(0, ...times);
}

async function buildPage() {
  const vite = join(WEB, "node_modules", "vite", "bin", "vite.js");
  const { code, output } = await capture(process.execPath, [vite, "build"], { cwd: WEB });
  if (code !== 0) throw new StepError("The web page could not be built: see the output above.", output);
  const beside = `${SERVED}.new`;
  await rm(beside, { recursive: true, force: true });
  await cp(BUILT, beside, { recursive: true });
  await rm(SERVED, { recursive: true, force: true });
  await rename(beside, SERVED);
}

runCommand(async () => {
  const isThere = existsSync(join(WEB, "package.json"));
  if (isThere && newestIn(WEB) > writtenAt(join(SERVED, "index.html"))) await buildPage();
});
