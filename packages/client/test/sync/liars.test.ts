/** Random histories with one who lies: see `support/liars-world.ts`. */
import { expect, test } from "vitest";
import { LiarsWorld } from "./support/liars-world.js";

const isSoak = process.env.CAMBIUM_SOAK === "1";
const FIRST = isSoak ? Number(process.env.CAMBIUM_SEED ?? 0) : 2;
const [SEEDS, STEPS] = isSoak ? [100, 60] : [1, 14];

test("[RL154] whatever a relay puts in, holds back and forgets, devices show what honest members wrote", async () => {
  for (let seed = FIRST + 1; seed <= FIRST + SEEDS; seed += 1) {
    await using world = await LiarsWorld.start(seed);
    try {
      for (let step = 0; step < STEPS; step += 1) await world.step();
      await world.end();
    } catch (error) {
      expect.fail(`seed ${seed}, after ${world.did.join(", ")}: ${(error as Error).stack}`);
    }
  }
}, 3_600_000);
