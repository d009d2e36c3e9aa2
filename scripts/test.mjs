/**
 * `npm test`: set-up, static checks, all tests. The last line is always
 * `N passed, N failed, N skipped`, each static check counting as one test.
 */
import { runChecks } from "./checks.mjs";
import { runCommand, StepError } from "./process.mjs";
import { ensureDependencies } from "./setup.mjs";
import { runVitest } from "./vitest.mjs";

runCommand(async () => {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  const add = (counts) => {
    for (const [outcome, count] of Object.entries(counts)) totals[outcome] += count;
  };
  try {
    await ensureDependencies();
    add(await runChecks());
    add(await runVitest(process.argv.slice(2), { CAMBIUM_BUILT: "1" }));
  } catch (error) {
    totals.failed += 1;
    // To standard output like everything else here, so that the counts stay the last line.
    console.log(error instanceof StepError ? `${error.output}\n${error.message}`.trim() : error);
  }
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  return totals.failed === 0 ? 0 : 1;
});
