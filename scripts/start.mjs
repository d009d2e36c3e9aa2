/** `npm start`: set-up, then a relay and a space on this machine, until Ctrl-C. */
import { join } from "node:path";
import { runCommand, runInForeground } from "./process.mjs";
import { NODE, ROOT, setUp } from "./setup.mjs";

runCommand(async () => {
  await setUp();
  // The caller's folder stays the working one, so that a relative CAMBIUM_HOME means what it says.
  return runInForeground(NODE, [join(ROOT, "scripts", "serve-here.ts"), ...process.argv.slice(2)]);
});
