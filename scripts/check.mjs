/** `npm run check`: everything that can be said about the code without running it. */
import { runChecks } from "./checks.mjs";
import { runCommand } from "./process.mjs";
import { ensureDependencies } from "./setup.mjs";

runCommand(async () => {
  await ensureDependencies();
  const { failed } = await runChecks();
  return failed === 0 ? 0 : 1;
});
