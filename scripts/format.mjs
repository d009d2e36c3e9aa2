/** `npm run format`: formats, sorts imports and applies the linter's safe fixes. */
import { runCommand, runInForeground } from "./process.mjs";
import { ensureDependencies, NODE, ROOT, toolPath } from "./setup.mjs";

runCommand(async () => {
  await ensureDependencies();
  return runInForeground(NODE, [toolPath("@biomejs/biome", "bin/biome"), "check", "--write", "."], {
    cwd: ROOT,
  });
});
