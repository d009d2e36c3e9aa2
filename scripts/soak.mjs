/**
 * `npm run test:soak`: all tests with many more cases per property, from a fresh seed, and the
 * long-running files (`*.soak.test.ts`) that `npm test` leaves out.
 */
import { runCommand } from "./process.mjs";
import { setUp } from "./setup.mjs";
import { runVitest } from "./vitest.mjs";

runCommand(async () => {
  await setUp();
  const seed = process.env.CAMBIUM_SEED ?? String(Date.now() % 2 ** 31);
  console.log(`Seed ${seed}: CAMBIUM_SEED=${seed} npm run test:soak repeats this run.`);
  const { passed, failed, skipped } = await runVitest(process.argv.slice(2), {
    CAMBIUM_BUILT: "1",
    CAMBIUM_SOAK: "1",
    CAMBIUM_SEED: seed,
  });
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 ? 0 : 1;
});
