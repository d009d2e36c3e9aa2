import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BranchId, memoryIds } from "../../src/index.js";
import { appearances } from "../support/expectations.js";
import { lifeStep, RandomLife } from "../support/random-lives.js";
import type { SimulatedReplica } from "../support/simulated-replica.js";
import { deliverAll } from "../support/simulated-space.js";

const RUNS = { numRuns: Math.max(80, fc.readConfigureGlobal().numRuns ?? 0) };
const steps = fc.array(lifeStep, { minLength: 6, maxLength: 16 });

describe("random lives of a space", () => {
  test("[CO50] [CO51] all replicas end alike, and no decided value went without having been shown", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (taken, seed) => {
        using life = new RandomLife(seed);
        await life.play(taken);
        deliverAll(life.space);
        const shown = await shownEverywhere(life);
        const lost = life.decisions.filter(({ branch, memory, token }) => {
          const here = JSON.stringify(shown.get(branch)?.[memory] ?? "");
          return !here.includes(token) && !(life.seenByDeciders.get(memory) ?? "").includes(token);
        });
        expect(lost).toEqual([]);
      }),
      RUNS,
    );
  });

  test("[CO52] what a preview shows is what the merge gives", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), fc.nat({ max: 4 }), async (taken, seed, pick) => {
        using life = new RandomLife(seed, 2);
        await life.play(taken);
        deliverAll(life.space);
        const { main, branches, replicas } = life.space;
        const [replica] = replicas as [SimulatedReplica];
        const source = [...branches.keys()].at(-1) as BranchId;
        if (source === main) return;
        const strategy = (["source", "target", "newest", "both", "manual"] as const)[pick] ?? "manual";
        const before = await appearances(replica, main);
        const plan = await replica.merge(source, main, { strategy, again: pick % 2 === 0 });
        const after = await appearances(replica, main);
        if (plan.status !== "ready") {
          expect(after).toEqual(before);
          return;
        }
        const told = [...plan.created, ...plan.changed.map((change) => change.after)];
        for (const { id, conflicts, record, at, by, type, version, versions, reason, ...fields } of told) {
          expect(after[id]).toMatchObject(JSON.parse(JSON.stringify(fields)));
          expect(Object.keys(after[id]?.conflicts ?? {})).toEqual(conflicts.map(({ field }) => field));
        }
        for (const { id } of plan.deleted) expect(after[id]).toMatchObject({ deleted: true });
        const named = new Set([...told, ...plan.deleted].map(({ id }) => id));
        for (const id of memoryIds(replica.state(main)).filter((each) => !named.has(each))) {
          if (before[id] !== undefined && !before[id].deleted) expect(after[id]).toEqual(before[id]);
          else expect(after[id]).toMatchObject({ deleted: true });
        }
        expect((await replica.merge(source, main, { strategy })).status).toBe("up-to-date");
      }),
      { numRuns: Math.max(40, fc.readConfigureGlobal().numRuns ?? 0) },
    );
  });
});

async function shownEverywhere({ space }: RandomLife) {
  const [first, ...others] = space.replicas as [SimulatedReplica, ...SimulatedReplica[]];
  const shown = new Map<BranchId, Awaited<ReturnType<typeof appearances>>>();
  for (const branch of space.branches.keys()) {
    const expected = await appearances(first, branch);
    for (const other of others) expect(await appearances(other, branch)).toEqual(expected);
    shown.set(branch, expected);
  }
  return shown;
}
