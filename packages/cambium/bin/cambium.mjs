#!/usr/bin/env node
/**
 * The door of the `cambium` command: makes sure that a Node new enough runs it.
 * Only syntax and calls that old Nodes know, so that they can say what is wrong.
 */
import { existsSync, statSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const OLDEST_MAJOR = 22;
const OLDEST_MINOR = 16;
const NEXT_MAJOR = 24;
/** Set for the Node found by {@link findNode}: should it be too old itself, it must not look again. */
const FOUND = "CAMBIUM_NODE_FOUND";

const self = fileURLToPath(import.meta.url);
const built = new URL("../dist/cli/main.js", import.meta.url);
const bundled = new URL("../dist/bundle/main.js", import.meta.url);

if (!isNewEnough(process.versions.node)) runWithNewerNode();
else start(isBundleNew() ? bundled : built);

function start(main) {
  if (!existsSync(main)) fail('cambium is not built yet: run "npm run build" in its folder.');
  silenceIdleWarning();
  if (module.enableCompileCache) module.enableCompileCache(); // compiled once, not at every call
  import(main.href);
}

/** Whoever runs the compiler alone gets what it wrote. An installed package has the bundle alone. */
function isBundleNew() {
  const made = writtenAt(bundled);
  const packages = ["core", "sync-server", "client", "cambium"];
  const notes = packages.map((name) => new URL(`../../${name}/dist/.tsbuildinfo`, import.meta.url));
  return made > 0 && notes.every((note) => writtenAt(note) <= made);
}

function writtenAt(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? 0 : found.mtimeMs;
}

function isNewEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  return major >= NEXT_MAJOR || (major === OLDEST_MAJOR && minor >= OLDEST_MINOR);
}

function runWithNewerNode() {
  const node = process.env[FOUND] === undefined ? findNode(dirname(self)) : undefined;
  if (node === undefined) refuse();
  else runWith(node);
}

/** A workspace brings its own Node with the npm package "node"; looks for one in `dir` and above. */
function findNode(dir) {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const candidate = join(dir, "node_modules", "node", "bin", name);
  if (existsSync(candidate)) return candidate;
  return dirname(dir) === dir ? undefined : findNode(dirname(dir));
}

function runWith(node) {
  import("node:child_process").then(({ spawn }) => {
    const env = Object.assign({}, process.env, { [FOUND]: node });
    const child = spawn(node, [self].concat(process.argv.slice(2)), { stdio: "inherit", env });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    child.on("error", refuse);
    child.on("close", (code) => process.exit(code === null ? 1 : code));
  });
}

function refuse() {
  const oldest = `${OLDEST_MAJOR}.${OLDEST_MINOR}`;
  const found = process.versions.node;
  fail(
    `cambium needs Node ${oldest} or later (not ${NEXT_MAJOR - 1}), and this is Node ${found}: install one from https://nodejs.org.`,
  );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** A warning that nobody who types a command can act on: Node 22 calls node:sqlite young. */
function silenceIdleWarning() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (String(warning).startsWith("SQLite is an experimental feature")) return;
    emitWarning.call(process, warning, ...rest);
  };
}
