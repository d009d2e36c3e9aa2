import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, test } from "vitest";
import { arriveWhole, compareAll, watched, watchedLives } from "./support/watched-life.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-index-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
let files = 0;
function newPath(): string {
  files += 1;
  return join(dir, `${files}.sqlite`);
}

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
