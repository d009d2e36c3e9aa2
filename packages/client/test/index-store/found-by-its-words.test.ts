import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { Recaller } from "../../src/space/recaller.js";
import type { FoundState } from "../../src/space/state-finder.js";
import { arriveWhole, watched, watchedLives } from "./support/watched-life.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-words-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("[IX10] what a state shows is found by its words, also in states that only heads can name", async () => {
  let [files, asked] = [0, 0];
  const look = fc.asyncProperty(watchedLives, (given) => {
    files += 1;
    return watched(given, join(dir, `${files}.sqlite`), async (watching) => {
      arriveWhole(watching);
      const { observer } = watching;
      const { index, lists } = observer.opened;
      const now = (): number => observer.space.clock.now;
      using recaller = new Recaller({ index, lists, now, usageOf: () => 0, nearest: async () => undefined });
      for (const branch of observer.replica.branchesHere()) {
        const row = await index.prepare(branch);
        for (const { hash } of observer.replica.history(branch).changes) {
          const state = await index.stateAtHeads(row, [hash]);
          const found = {
            state,
            isNow: false,
            at: undefined,
            branch: { name: branch },
          } as unknown as FoundState;
          const shown = index.states.list(
            state,
            { forgotten: "without", passes: () => true },
            1_000,
            undefined,
          );
          for (const { id, content } of shown) {
            const words = content.split(" ");
            const answers = await recaller.recall(words[asked % words.length] ?? "", found, 1_000, {});
            const itself = answers.find((answer) => answer.id === id);
            expect(answers.flatMap((answer) => [answer.id, ...(answer.alike ?? [])])).toContain(id);
            if (itself !== undefined) expect(itself.content).toBe(content);
            asked += 1;
          }
        }
      }
    });
  });
  await fc.assert(look, { numRuns: Math.max(12, fc.readConfigureGlobal().numRuns ?? 0) });
  expect(asked).toBeGreaterThan(30);
});
