/** `npm run format`: formats, sorts imports, applies the linter's safe fixes, and fills long lines of prose. */
import { join } from "node:path";
import { runCommand, runInForeground } from "./process.mjs";
import { ensureDependencies, NODE, ROOT, toolPath } from "./setup.mjs";

runCommand(async () => {
  await ensureDependencies();
  const run = (...args) => runInForeground(NODE, args, { cwd: ROOT });
  const prose = await run(join(ROOT, "scripts", "wrap-prose.mjs"));
  const code = await run(toolPath("@biomejs/biome", "bin/biome"), "check", "--write", ".");
  return prose === 0 ? code : prose;
});
