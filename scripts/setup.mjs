/**
 * Brings a clone to the point where its code can run: dependencies installed, packages built.
 * Runs on Node 18 and later without any dependency; everything after it runs on the Node that
 * the npm package "node" brings.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeLeftOvers } from "./left-overs.mjs";
import { withLock } from "./lock.mjs";
import { capture, StepError } from "./process.mjs";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The Node that runs everything after set-up, whatever Node the user has. */
export const NODE = join(
  ROOT,
  "node_modules",
  "node",
  "bin",
  process.platform === "win32" ? "node.exe" : "node",
);

const PNPM = "pnpm@12.21.0";
const STATE_DIR = join(ROOT, "node_modules", ".cambium");
const STAMP = join(STATE_DIR, "installed");
const OLDEST_NODE_MAJOR = 18;
const TELL_EVERY_MS = 10_000;
const IS_WINDOWS = process.platform === "win32";

/** Installs and builds what is missing; says nothing when there is nothing to do. */
export async function setUp() {
  refuseOldNode();
  await ensureDependencies();
  await ensureBuilt();
}

/**
 * Installs the dependencies of the lockfile with the pinned pnpm, unless they are there.
 *
 * @throws {StepError} when they cannot be installed
 */
export async function ensureDependencies() {
  const wanted = await dependencyStamp();
  if (await isInstalled(wanted)) return;
  // The lock lies beside node_modules, because pnpm may remove and remake that folder.
  const lock = join(ROOT, ".install.lock");
  const sayWaiting = () => console.log("Waiting for another install in this folder to end …");
  await withLock(
    lock,
    async () => {
      if (await isInstalled(wanted)) return;
      console.log("Installing dependencies, then building (a few minutes on the first run) …");
      await tellingTime("installing", install());
      await mkdir(STATE_DIR, { recursive: true });
      await writeFile(STAMP, wanted);
    },
    sayWaiting,
  );
}

/**
 * Builds the packages that changed.
 *
 * @throws {StepError} when the sources have type errors
 */
export async function ensureBuilt() {
  const { code, output } = await tellingTime("building the packages (a few minutes the first time)", build());
  if (code !== 0) {
    throw new StepError("The build failed: mend the errors above, then run the command again.", output);
  }
}

/**
 * Runs the compiler over all packages, which writes what it can even when types do not fit, and bundles the command
 * and builds the web page where something changed.
 *
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function build() {
  return withLock(join(STATE_DIR, "build.lock"), async () => {
    const compiled = await capture(NODE, [toolPath("typescript", "bin/tsc"), "-b"], { cwd: ROOT });
    removeLeftOvers(join(ROOT, "packages"));
    const bundled = await capture(NODE, ["scripts/bundle.mjs"], { cwd: ROOT });
    const page = await capture(NODE, ["scripts/page.mjs"], { cwd: ROOT });
    return [compiled, bundled].find(({ code }) => code !== 0) ?? page;
  });
}

/**
 * Says from time to time what takes so long; nothing about what is quick.
 *
 * @template Result
 * @param {string} what - goes on
 * @param {Promise<Result>} work
 * @returns {Promise<Result>}
 */
async function tellingTime(what, work) {
  const begun = performance.now();
  const tell = () => console.log(`… ${what}, ${Math.round((performance.now() - begun) / 1000)} s`);
  const timer = setInterval(tell, TELL_EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Returns the file of a tool's package, so that it can be run by {@link NODE} itself.
 *
 * @param {string} name - of the npm package
 * @param {string} file - inside the package
 */
export function toolPath(name, file) {
  return join(ROOT, "node_modules", name, file);
}

function refuseOldNode() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= OLDEST_NODE_MAJOR) return;
  throw new StepError(
    `Node ${process.versions.node} is too old: install Node ${OLDEST_NODE_MAJOR} or later from https://nodejs.org and try again.`,
  );
}

async function isInstalled(wanted) {
  if (!existsSync(NODE)) return false;
  const found = await readFile(STAMP, "utf8").catch(() => "");
  return found === wanted;
}

/** Everything that decides what an install yields: the lockfile, all manifests, and the platform. */
async function dependencyStamp() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\0`);
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...(await manifests())]) {
    const text = await readFile(join(ROOT, file), "utf8");
    // Another version of this project needs no other dependencies.
    hash.update(`${file}\0`).update(text.replace(/^ {2}"version": ".*"/m, '  "version": "0.0.0"'));
  }
  return hash.digest("hex");
}

async function manifests() {
  const found = ["package.json"];
  for (const folder of ["packages", "examples"]) {
    const entries = await readdir(join(ROOT, folder)).catch(() => []);
    for (const entry of entries.sort()) {
      const manifest = join(folder, entry, "package.json");
      if (existsSync(join(ROOT, manifest))) found.push(manifest);
    }
  }
  return found;
}

async function install() {
  const { code, output } = await capture(
    IS_WINDOWS ? "npx.cmd" : "npx",
    ["--yes", PNPM, "install", "--frozen-lockfile"],
    // CI keeps pnpm from asking before it replaces a node_modules made by something else.
    { cwd: ROOT, env: { ...process.env, CI: "true" }, shell: IS_WINDOWS },
  ).catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new StepError("npx is not here: install npm, then run the command again.");
  });
  if (code !== 0) throw new StepError(installAdvice(output), output);
  if (!existsSync(NODE)) {
    throw new StepError(
      'The npm package "node" brought no binary for this platform: see the output above.',
      output,
    );
  }
}

function installAdvice(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET/.test(output)) {
    return "The dependencies could not be downloaded: check the network connection, then run the command again.";
  }
  if (output.includes("OUTDATED_LOCKFILE")) {
    return `The lockfile does not fit the package.json files: run "npx ${PNPM} install" and commit pnpm-lock.yaml.`;
  }
  if (/ENOSPC/.test(output)) return "The disk is full: free about 1 GB, then run the command again.";
  return "The dependencies could not be installed: see the output above, then run the command again.";
}
