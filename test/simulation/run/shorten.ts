/**
 * Makes a failing run shorter: leaves out steps as long as it fails in the same way (delta debugging).
 *
 * @module
 */
import type { Step } from "../steps/step.ts";
import type { SeedResult } from "./run-seed.ts";

/**
 * @param plan - the steps of the run that failed
 * @param tryOnly - runs only those
 * @param isTimeOver - then the shortest so far will do
 */
export async function shorten(
  plan: readonly Step[],
  tryOnly: (steps: readonly Step[]) => Promise<SeedResult>,
  checker: string,
  isTimeOver: () => boolean,
): Promise<readonly Step[]> {
  let shortest = plan;
  for (let size = Math.ceil(plan.length / 2); size >= 1; ) {
    let isShorter = false;
    for (let start = 0; start < shortest.length && !isTimeOver(); ) {
      const without = [...shortest.slice(0, start), ...shortest.slice(start + size)];
      const result = await tryOnly(without);
      if (result.failure?.checker === checker) {
        shortest = without;
        isShorter = true;
      } else {
        start += size;
      }
    }
    if (isTimeOver()) return shortest;
    if (size === 1 && !isShorter) return shortest;
    size = size === 1 ? 1 : Math.floor(size / 2);
  }
  return shortest;
}
