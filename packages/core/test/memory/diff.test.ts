import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BranchState, diffStates, type History, type MemoryId, memoryIds } from "../../src/index.js";
import { appearance, outline } from "../support/expectations.js";
import { lifeStep, RandomLife } from "../support/random-lives.js";
import type { SimulatedReplica } from "../support/simulated-replica.js";
import { deliverAll, SimulatedSpace } from "../support/simulated-space.js";

const RUNS = { numRuns: Math.max(30, fc.readConfigureGlobal().numRuns ?? 0) };

/** Random states of main: at the heads of some change each. */
function statesOf(replica: SimulatedReplica, picks: readonly number[]): readonly BranchState[] {
  const { history, times } = replica.state(replica.space.main);
  return picks.map((pick) => ({ history, times, set: setAt(history, pick) }));
}

const setAt = (history: History, pick: number): Uint8Array => {
  const change = history.changes[pick % history.size];
  return history.ancestors(change === undefined ? [] : [change.hash]);
};

describe("what differs between two states", () => {
  test("[CO70] is what a comparison of every memory says", async () => {
    await forRandomStates(async (replica, before, after) => {
      const { main } = replica.space;
      const expected = { created: [] as MemoryId[], changed: [] as MemoryId[], deleted: [] as MemoryId[] };
      for (const id of new Set([...memoryIds(before), ...memoryIds(after)])) {
        const [was, is] = [await visible(replica, before, id), await visible(replica, after, id)];
        if (was === undefined && is !== undefined) expected.created.push(id);
        else if (was !== undefined && is === undefined) expected.deleted.push(id);
        else if (JSON.stringify(was) !== JSON.stringify(is)) expected.changed.push(id);
      }
      const diff = outline(await diffStates(before, after, replica.load));
      expect(diff.created).toEqual(expected.created.sort());
      expect(diff.deleted).toEqual(expected.deleted.sort());
      // What the listing calls changed is at least every difference in fields.
      for (const id of Object.keys(diff.changed)) expect(expected.changed).toContain(id);
      for (const id of expected.changed) {
        const [was, is] = [
          await replica.memory(main, id, before.set),
          await replica.memory(main, id, after.set),
        ];
        const sameFields = JSON.stringify(fieldsOf(was)) === JSON.stringify(fieldsOf(is));
        if (!sameFields) expect(Object.keys(diff.changed)).toContain(id);
      }
    });
  });

  test("[CO71] is nothing between a state and itself", async () => {
    await forRandomStates(async (replica, state) => {
      expect(outline(await diffStates(state, state, replica.load))).toEqual({
        ...{ created: [], changed: {}, deleted: [], conflicts: [] },
      });
    });
  });

  test("[CO72] the other way round: created and deleted change places, what changed is the same", async () => {
    await forRandomStates(async (replica, before, after) => {
      const there = outline(await diffStates(before, after, replica.load));
      const back = outline(await diffStates(after, before, replica.load));
      expect(back.created).toEqual(there.deleted);
      expect(back.deleted).toEqual(there.created);
      expect(back.changed).toEqual(there.changed);
    });
  });

  test("[CO73] a memory whose conflict was opened or settled is listed as changed", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const [one, two] = [space.addReplica(), space.addReplica()];
    const id = await one.remember(main, { content: "tea", kind: "fact" });
    deliverAll(space);
    await two.revise(main, id, { kind: "ritual" });
    space.tick();
    await one.revise(main, id, { kind: "habit" });
    const before = { ...one.state(main), set: one.history(main).all() };
    deliverAll(space);
    const open = one.state(main);
    const set = new Uint8Array(open.history.size);
    set.set(before.set);
    const diff = await diffStates({ ...open, set }, open, one.load);
    expect(outline(diff)).toMatchObject({ changed: { [id]: [] }, conflicts: [id] });
  });
});

async function forRandomStates(
  check: (replica: SimulatedReplica, before: BranchState, after: BranchState) => Promise<void>,
): Promise<void> {
  const steps = fc.array(lifeStep, { minLength: 6, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(), fc.tuple(fc.nat(), fc.nat()), async (taken, seed, picks) => {
      using life = new RandomLife(seed, 2);
      await life.play(taken);
      deliverAll(life.space);
      const [replica] = life.space.replicas as [SimulatedReplica];
      const [before, after] = statesOf(replica, picks) as [BranchState, BranchState];
      await check(replica, before, after);
    }),
    RUNS,
  );
}

async function visible(replica: SimulatedReplica, { set }: BranchState, id: MemoryId) {
  const reading = await replica.read(replica.space.main, id, set);
  if (reading === undefined || reading.resolved.fields.deleted) return undefined;
  return appearance(await replica.memory(replica.space.main, id, set));
}

function fieldsOf(memory: Awaited<ReturnType<SimulatedReplica["memory"]>>) {
  const { conflicts, derivedFrom, source, summary, ...fields } = appearance(memory);
  return fields;
}
