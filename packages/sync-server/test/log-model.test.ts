import { expect, test } from "vitest";
import { type Forgotten, ModelWorld } from "./model/model-world.js";

const STEPS = 120;

/** @returns the first seed at which something is wrong, and what */
async function firstFault(seeds: number, after: number, forgets?: Forgotten): Promise<string | undefined> {
  for (let seed = after + 1; seed <= after + seeds; seed += 1) {
    const fault = await new ModelWorld(seed, forgets).run(STEPS);
    if (fault !== undefined) return `seed ${seed}: ${fault}`;
  }
  return undefined;
}

test("[RL68] whatever fails, nothing that a surviving replica wrote is lost, and all end with the same log", async () => {
  const isSoak = process.env.CAMBIUM_SOAK === "1";
  expect(
    await firstFault(isSoak ? 500 : 3, isSoak ? Number(process.env.CAMBIUM_SEED ?? 0) : 0),
  ).toBeUndefined();
}, 600_000);

test("[RL68] without any of the main rules, the model finds the fault", async () => {
  const rules: readonly Forgotten[] = [
    "receipts above the common point are void",
    "entries before the cursor",
    "a refused batch stops its line",
  ];
  for (const rule of rules) expect(await firstFault(60, 0, rule), rule).toBeDefined();
});
