import fc from "fast-check";
import { test } from "vitest";
import { indexPaths } from "./support/index-paths.js";
import { arriveWhole, compareAll, watched, watchedLives } from "./support/watched-life.js";

const newPath = indexPaths();

const RUNS = { numRuns: Math.max(15, fc.readConfigureGlobal().numRuns ?? 0) };

test("[IX1] every answer at every ref is what core computes from the whole documents", async () => {
  await fc.assert(
    fc.asyncProperty(watchedLives, (given) =>
      watched(given, newPath(), async (watching) => {
        await compareAll(watching.observer, watching.next);
        arriveWhole(watching);
        await compareAll(watching.observer, watching.next);
        watching.observer.close();
        await compareAll(watching.observer, watching.next);
      }),
    ),
    RUNS,
  );
});
