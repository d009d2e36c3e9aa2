import {
  addToDigest,
  bytesToHex,
  type ChangeHash,
  type ChangeSet,
  emptyDigest,
  type History,
  memoryDigest,
  memoryIdOfKey,
} from "@cambium/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { indexPaths } from "../index-store/support/index-paths.js";
import type { IndexedObserver } from "../index-store/support/indexed-observer.js";
import { arriveWhole, type Watching, watched, watchedLives } from "../index-store/support/watched-life.js";

const newPath = indexPaths();

const RUNS = { numRuns: Math.max(12, fc.readConfigureGlobal().numRuns ?? 0) };

/** The same from the documents alone: every memory of the state, read and summed. */
function computedFromScratch(history: History, set?: ChangeSet): string {
  const sum = emptyDigest();
  for (const key of history.keys()) {
    const memory = memoryIdOfKey(key);
    if (memory === undefined) continue;
    const values = history
      .valuesAt(key, set)
      .flatMap(({ value }) => (value instanceof Uint8Array ? [value] : []));
    const term = memoryDigest(memory, values);
    if (term !== undefined) addToDigest(sum, term);
  }
  return bytesToHex(sum);
}

/** Asks for digests as checkpoints do: of now, which is noted, and of states that heads name. */
async function compareDigests({ replica, index }: IndexedObserver, next: () => number): Promise<void> {
  for (const branch of replica.branchesHere()) {
    const row = await index.prepare(branch);
    const history = replica.history(branch);
    const askNow = () => expect(bytesToHex(index.digestAt(row)), branch).toBe(computedFromScratch(history));
    if (next() < 0.5) askNow();
    const hashes = history.changes.map(({ hash }) => hash);
    for (let count = 0; count < 6; count += 1) {
      const heads = [1, 2]
        .slice(0, next() < 0.6 ? 1 : 2)
        .map(() => hashes[Math.floor(next() * hashes.length)]);
      const own = index.headsAmong(row, heads as ChangeHash[]);
      expect(bytesToHex(index.digestAt(row, own)), `${branch} at ${own}`).toBe(
        computedFromScratch(history, history.ancestors(own)),
      );
      if (next() < 0.2) askNow();
    }
    expect(bytesToHex(index.digestAt(row, []))).toBe(bytesToHex(emptyDigest()));
  }
}

test("[CP13] a digest brought forward or back equals the one made anew from the documents, after any life", async () => {
  await fc.assert(
    fc.asyncProperty(watchedLives, (given) => {
      const look = async (watching: Watching): Promise<void> => {
        const { observer, next } = watching;
        await compareDigests(observer, next);
        arriveWhole(watching);
        await compareDigests(observer, next);
        observer.close();
        await compareDigests(observer, next);
        observer.index.clear();
        await compareDigests(observer, next);
      };
      return watched(given, newPath(), look);
    }),
    RUNS,
  );
});

const pickOf = (next: () => number): number => Math.floor(next() * 1_000);

test("[CP13] what was noted midway through a life holds for all that comes after", async () => {
  await fc.assert(
    fc.asyncProperty(watchedLives, (given) => {
      const look = async (watching: Watching): Promise<void> => {
        const { observer, life, next } = watching;
        for (let round = 0; round < 4; round += 1) {
          await compareDigests(observer, next);
          for (const kind of ["revise", "fork", "revise", "merge", "undo"] as const)
            await life.take({
              kind,
              replica: round % 2,
              pick: pickOf(next),
              other: pickOf(next),
              tick: 1_000,
            });
          for (const writer of life.writers)
            for (const branch of writer.branchesHere()) {
              const lacking = writer.changesLackedBy(observer.replica, branch);
              observer.receive(branch, lacking.slice(0, Math.ceil(lacking.length * next())), next() < 0.5);
            }
          if (next() < 0.3) observer.close();
        }
        await compareDigests(observer, next);
      };
      return watched(given, newPath(), look);
    }),
    RUNS,
  );
});
