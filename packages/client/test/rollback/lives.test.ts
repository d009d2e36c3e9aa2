import fc from "fast-check";
import { expect, test } from "vitest";
import { World } from "../support/world.js";
import { livedApart, NotedLife, step } from "./support/noted-life.js";

const SOAK = fc.readConfigureGlobal().numRuns;

test("[GB30] no state becomes unreachable, a rollback gives what was, in part nothing else, and its undo what was before", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 12, maxLength: 30 }),
      fc.nat({ max: 1_000 }),
      async (steps, seed) => {
        await using world = new World(seed);
        const { space } = await world.found();
        const life = new NotedLife([space]);
        for (const each of steps) expect(await life.take(each)).toBeUndefined();
        expect(await life.check()).toBeUndefined();
      },
    ),
    { numRuns: SOAK ?? 12 },
  );
}, 120_000);

test("[GB31] the same on two replicas that meet now and then, and they end alike", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 2, maxLength: 8 }), { minLength: 2, maxLength: 4 }),
      fc.nat({ max: 1_000 }),
      async (rounds, seed) => {
        await using world = await World.withRelay(seed);
        const { life } = await livedApart(world, rounds);
        expect(await life.check()).toBeUndefined();
      },
    ),
    { numRuns: Math.ceil((SOAK ?? 12) / 4) },
  );
}, 120_000);
