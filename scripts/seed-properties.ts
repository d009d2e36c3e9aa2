/**
 * Makes property tests repeatable: the same seed on every run, unless CAMBIUM_SEED gives another.
 * A soak run takes a fresh seed and many more cases; a failure prints the seed that shows it again.
 */
import fc from "fast-check";

const REPEATABLE_SEED = 20_260_101;
const SOAK_RUNS = 2_000;

const isSoak = process.env.CAMBIUM_SOAK === "1";
const seed = Number(process.env.CAMBIUM_SEED ?? REPEATABLE_SEED);

fc.configureGlobal(isSoak ? { seed, numRuns: SOAK_RUNS } : { seed });
