/**
 * `npm run test:soak`: all tests with many more cases per property, from a fresh seed, and the
 * long-running files (`*.soak.test.ts`) that `npm test` leaves out.
 *
 * `npm run test:soak -- simulation [options]`: the simulator on fresh seeds, for `CAMBIUM_SOAK_HOURS` or until
 * Ctrl-C; see test/simulation/README.md.
 */
import { runCommand, runInForeground } from "./process.mjs";
import { NODE, ROOT, setUp } from "./setup.mjs";
import { runVitest } from "./vitest.mjs";

const SIMULATION = "test/simulation/main.ts";

runCommand(async () => {
  await setUp();
  if (process.argv[2] === "simulation") return simulate(process.argv.slice(3));
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

/** Not the seeds that every run tries, nor those of the last soak. */
function simulate(args) {
  const hours = process.env.CAMBIUM_SOAK_HOURS;
  const first = Math.floor(Date.now() / 1000) % 2 ** 31;
  const time = args.includes("--for") ? [] : ["--for", hours === undefined ? "ever" : `${hours}h`];
  const seeds = args.some((arg) => arg.startsWith("--seed")) ? [] : ["--seeds", String(first)];
  return runInForeground(NODE, [SIMULATION, ...time, ...seeds, ...args], { cwd: ROOT });
}
