#!/usr/bin/env node
/**
 * The door of the `cambium-relay` command: makes sure that a Node new enough runs it.
 * Only syntax and calls that old Nodes know, so that they can say what is wrong.
 */
import { existsSync } from "node:fs";

const OLDEST_MAJOR = 22;
const OLDEST_MINOR = 16;
const NEXT_MAJOR = 24;

const built = new URL("../dist/command/main.js", import.meta.url);
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < NEXT_MAJOR && (major !== OLDEST_MAJOR || minor < OLDEST_MINOR)) {
  const oldest = `${OLDEST_MAJOR}.${OLDEST_MINOR}`;
  fail(
    `cambium-relay needs Node ${oldest} or later (not ${NEXT_MAJOR - 1}), and this is Node ${process.versions.node}: install one from https://nodejs.org.`,
  );
} else if (!existsSync(built)) fail('cambium-relay is not built yet: run "npm run build" in its folder.');
else {
  silenceIdleWarning();
  import(built.href);
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}

/** A warning that nobody who types a command can act on: Node 22 calls node:sqlite young. */
function silenceIdleWarning() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (String(warning).startsWith("SQLite is an experimental feature")) return;
    emitWarning.call(process, warning, ...rest);
  };
}
