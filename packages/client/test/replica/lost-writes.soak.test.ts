/** Many places of the end of a store, cut, changed, removed or put back, from seeds. */
import { describe, expect, test } from "vitest";
import { seededNumbers } from "../support/seeded.js";
import { World } from "../support/world.js";
import { copyStore, HARMS, killedHome, tailOf, unaccounted } from "./support/lossy-home.js";

const TRIALS = Number(process.env.CAMBIUM_TRIALS ?? 120);

describe.each(["sqlite", "fs"] as const)("on %s", (storage) => {
  test("[LW1] every acknowledged write is there or named, wherever the store is damaged", async () => {
    const seed = Number(process.env.CAMBIUM_SEED ?? 310);
    await using world = new World(seed);
    const next = seededNumbers(seed);
    const killed = await killedHome(world, { storage, closed: 5, killed: 25 });
    const tail = tailOf(killed.dir, storage);
    const failures: string[] = [];
    for (let trial = 0; trial < TRIALS; trial += 1) {
      killed.restore();
      const at = next();
      const kind = Math.floor(next() * 4);
      if (kind === 0) HARMS.cut(tail, at);
      else if (kind === 1) HARMS.flipped(tail, at);
      else if (kind === 2) HARMS.removed(tail, at);
      else copyStore(killed.olderStore, killed.dir);
      const what = `trial ${trial}: ${["cut", "flipped", "removed", "older"][kind]} at ${at}`;
      try {
        const device = await world.reopen(killed.home, { storage });
        const lacking = await unaccounted(device, killed.acknowledged);
        if (lacking.length > 0) failures.push(`${what}: ${lacking.join()}`);
        await device.space.as({ agent: "after" }).remember({ content: `after ${trial}` });
        await device.replica.close();
        const again = await world.reopen(killed.home, { storage });
        const later = await unaccounted(again, killed.acknowledged);
        if (later.length > 0) failures.push(`${what}, opened again: ${later.join()}`);
        await again.replica.close();
      } catch (error) {
        const { code } = error as { readonly code?: string };
        if (code !== "STORE_DAMAGED") failures.push(`${what}: ${code} ${(error as Error).stack}`);
      }
    }
    expect(failures, `seed ${seed}`).toEqual([]);
  });
});
