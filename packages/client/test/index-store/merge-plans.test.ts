import {
  type BranchId,
  type BranchPair,
  isCambiumError,
  type MemoryId,
  type MergePlan,
  type MergeStrategy,
  planMerge,
  type RecordLoader,
  wholePair,
} from "@cambium/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { indexPaths } from "./support/index-paths.js";
import type { IndexedObserver } from "./support/indexed-observer.js";
import { arriveWhole, watched, watchedLives } from "./support/watched-life.js";

const newPath = indexPaths();

const RUNS = { numRuns: Math.max(15, fc.readConfigureGlobal().numRuns ?? 0) };
const STRATEGIES = ["source", "target", "newest", "both", "manual"] as const;

test("[BR50] a merge planned from the difference in the index is the one planned from the whole histories", async () => {
  await fc.assert(
    fc.asyncProperty(watchedLives, (given) =>
      watched(given, newPath(), async (watching) => {
        await comparePlans(watching.observer, watching.next);
        arriveWhole(watching);
        await comparePlans(watching.observer, watching.next);
      }),
    ),
    RUNS,
  );
});

async function comparePlans(observer: IndexedObserver, next: () => number): Promise<void> {
  const branches = observer.replica.branchesHere();
  for (const source of branches) {
    for (const target of branches.filter((branch) => branch !== source)) {
      const strategy = STRATEGIES[Math.floor(next() * STRATEGIES.length)] ?? "manual";
      const at = next() < 0.5 ? observer.replica.now() : 1; // the target may have later changes
      const again = [undefined, true, false][Math.floor(next() * 3)];
      await compareWays(observer, { source, target, strategy, at, again });
    }
  }
}

interface Merge {
  readonly source: BranchId;
  readonly target: BranchId;
  readonly strategy: MergeStrategy;
  readonly at: number;
  readonly again: boolean | undefined;
}

async function compareWays({ index, replica }: IndexedObserver, merge: Merge): Promise<void> {
  const [source, target] = [await index.prepare(merge.source), await index.prepare(merge.target)];
  const whole = wholePair(
    { branch: merge.source, state: replica.state(merge.source) },
    { branch: merge.target, state: replica.state(merge.target) },
    merge.at,
  );
  const indexed = index.pairOf(source, target, merge.at);
  const where = `${merge.source.slice(0, 4)} → ${merge.target.slice(0, 4)} ${merge.strategy}`;
  expect(await outcomeOf(indexed, merge, index.load), where).toEqual(
    await outcomeOf(whole, merge, replica.load),
  );
}

/** The plan, or why there is none. */
async function outcomeOf(branches: BranchPair, { strategy, at, again }: Merge, load: RecordLoader) {
  let ids = 0;
  const newMemoryId = () => {
    ids += 1;
    return `00000000-0000-7000-8000-${String(ids).padStart(12, "0")}` as MemoryId;
  };
  const context = { at, author: { replica: "someone" } } as never;
  try {
    return told(await planMerge({ branches, strategy, resolutions: {}, again, context, newMemoryId, load }));
  } catch (error) {
    if (!isCambiumError(error)) throw error;
    return { code: error.code, details: error.details };
  }
}

/** Changes that neither builds on the other have no order of their own, nor have the records they wrote as parents. */
const told = ({ undone, ...plan }: MergePlan) => ({
  ...withSortedParents(plan),
  undone: undone.toSorted((a, b) => (a.undo + a.merge < b.undo + b.merge ? -1 : 1)),
});

function withSortedParents<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(withSortedParents) as Value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === "parents" ? (inner as readonly string[]).toSorted() : withSortedParents(inner),
  ]);
  return Object.fromEntries(entries) as Value;
}
