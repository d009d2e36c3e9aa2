/** `npm run pack`: builds, then writes a tarball of each package to `dist/`, or to the folder that is named. */
import { join } from "node:path";
import { runCommand, runInForeground } from "./process.mjs";
import { NODE, ROOT, setUp } from "./setup.mjs";

runCommand(async () => {
  await setUp();
  return runInForeground(NODE, [join(ROOT, "scripts", "packing", "main.mjs"), ...process.argv.slice(2)]);
});
