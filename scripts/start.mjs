/**
 * `npm start`: set-up, then a relay and a space on this machine, until Ctrl-C.
 *
 * package.json says `exec node …`, so that npm's signals reach this process and not a shell that
 * dies without passing them on.
 */
import { join } from "node:path";
import { runCommand, runInForeground } from "./process.mjs";
import { NODE, ROOT, setUp } from "./setup.mjs";

const PARENT_CHECK_MS = 1_000;

if (process.env.npm_lifecycle_event !== undefined) endWithParent();

runCommand(async () => {
  await setUp();
  // The caller's folder stays the working one, so that a relative CAMBIUM_HOME means what it says.
  return runInForeground(NODE, [join(ROOT, "scripts", "serve-here.ts"), ...process.argv.slice(2)]);
});

/** An npm that is killed outright passes no signal on; the relay must not stay behind. */
function endWithParent() {
  const parent = process.ppid;
  const check = () => process.ppid === parent || process.kill(process.pid, "SIGTERM");
  setInterval(check, PARENT_CHECK_MS).unref();
}
