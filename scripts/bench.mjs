/** `npm run bench -- <name> [args]`: runs a benchmark of bench/ on the built packages. */
import { runCommand, runInForeground } from "./process.mjs";
import { NODE, ROOT, setUp } from "./setup.mjs";

runCommand(async () => {
  await setUp();
  // Node 24 runs the benchmarks' TypeScript as it is; the packages they measure are built.
  return runInForeground(NODE, ["--expose-gc", "bench/main.ts", ...process.argv.slice(2)], { cwd: ROOT });
});
