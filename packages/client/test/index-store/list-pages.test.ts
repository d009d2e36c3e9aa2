import { type Memory, type MemoryId, planCreate } from "@cambium/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SimulatedSpace } from "../../../core/test/support/simulated-space.js";
import type { Forgotten, ListPlace } from "../../src/index-store/state-pages.js";
import type { IndexedState, StateQueries } from "../../src/index-store/state-queries.js";
import { indexPaths } from "./support/index-paths.js";
import { IndexedObserver } from "./support/indexed-observer.js";
import { newestFirst } from "./support/oracle.js";
import { arriveWhole, watched, watchedLives } from "./support/watched-life.js";

const newPath = indexPaths();

const FORGOTTEN = fc.constantFrom<Forgotten>("without", "with", "only");

interface Filter {
  readonly forgotten: Forgotten;
  readonly passes: (memory: Memory) => boolean;
}

/** All pages, one after the other, as a caller with cursors reads them. */
async function pagesOf(
  states: StateQueries,
  stateNow: () => IndexedState,
  filter: Filter,
  limit: number,
  between: () => Promise<void> = async () => {},
): Promise<readonly Memory[]> {
  const found: Memory[] = [];
  for (let after: ListPlace | undefined; ; ) {
    const page = states.list(stateNow(), filter, limit, after);
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return found;
    after = { at: last.at, id: last.id };
    await between();
  }
}

test("[IX8] pages of any size give every memory of a state once, newest first, whatever the filter", async () => {
  await fc.assert(
    fc.asyncProperty(watchedLives, fc.integer({ min: 1, max: 4 }), FORGOTTEN, (given, limit, forgotten) =>
      watched(given, newPath(), async (watching) => {
        arriveWhole(watching);
        const { observer } = watching;
        for (const branch of observer.replica.branchesHere()) {
          const row = await observer.index.prepare(branch);
          const { history, times } = observer.replica.state(branch);
          const { states } = observer.index;
          const refs = [...new Set(times)].map((at) => states.stateAt(row, at));
          for (const { hash } of history.changes) refs.push(await observer.index.stateAtHeads(row, [hash]));
          for (const state of refs) {
            const filter = { forgotten, passes: ({ tags }: Memory) => tags.length !== 1 || tags[0] !== "t1" };
            const everything = states.list(
              state,
              { forgotten: "with", passes: () => true },
              1_000,
              undefined,
            );
            const expected = everything.filter(
              (memory) =>
                filter.passes(memory) && (forgotten === "with" || memory.deleted === (forgotten === "only")),
            );
            expect(await pagesOf(states, () => state, filter, limit)).toEqual(expected.toSorted(newestFirst));
          }
        }
      }),
    ),
    { numRuns: Math.max(12, fc.readConfigureGlobal().numRuns ?? 0) },
  );
});

test("[IX8] hundreds of equal times, exceptions and writes between pages lose and repeat nothing", async () => {
  using space = new SimulatedSpace(8);
  const [writer, other] = [space.addReplica(), space.addReplica(-10)];
  const observer = new IndexedObserver(space, newPath());
  const ids: MemoryId[] = [];
  for (let batch = 0; batch < 3; batch += 1) {
    const writes = Array.from({ length: 300 }, (_, number) => {
      ids.push(writer.newMemoryId());
      const tags = number % 50 === 0 ? ["rare"] : ["usual"];
      return planCreate(ids.at(-1) as MemoryId, { content: `memory ${number}`, tags }, writer.context());
    });
    await writer.commit({ branch: space.main, type: "import", writes });
    space.tick(batch);
  }
  for (const [name, sealed] of writer.sealed) other.sealed.set(name, sealed);
  other.receive(space.main, writer.changes(space.main));
  const [head] = writer.history(space.main).heads;
  for (let number = 0; number < 40; number += 1) {
    await other.revise(space.main, ids[number * 20] as MemoryId, { tags: ["rare"] });
  }
  await writer.revise(space.main, ids[0] as MemoryId, { content: "the last" });
  const [last] = writer.history(space.main).heads;
  for (const from of [writer, other]) {
    observer.receiveSealed(from.sealed.keys(), from);
    observer.receive(space.main, from.changesLackedBy(observer.replica, space.main), false);
  }
  const row = await observer.index.prepare(space.main);
  const { states } = observer.index;
  const rare = { forgotten: "without" as const, passes: ({ tags }: Memory) => tags.includes("rare") };
  for (const hash of [head, last]) {
    if (hash === undefined) throw new Error("There is no head.");
    const state = await observer.index.stateAtHeads(row, [hash]);
    expect(state.exceptions.size).toBeGreaterThan(hash === last ? 30 : -1);
    for (const filter of [rare, { forgotten: "without" as const, passes: () => true }]) {
      const everything = states.list(state, filter, 10_000, undefined);
      expect(everything).toHaveLength(filter === rare ? 18 : 900);
      expect(everything).toEqual(everything.toSorted(newestFirst));
      expect(await pagesOf(states, () => state, filter, 7)).toEqual(everything);
      expect(await pagesOf(states, () => state, filter, 300)).toEqual(everything);
    }
  }

  observer.loaded.add(space.main);
  const touched = new Set<MemoryId>();
  const seen = await pagesOf(
    states,
    () => states.stateAt(row, undefined),
    { forgotten: "without" as const, passes: () => true },
    100,
    async () => {
      const id = ids[touched.size * 97] as MemoryId;
      touched.add(id);
      space.tick(60_000);
      await writer.revise(space.main, id, { content: "meanwhile" });
      observer.receiveSealed(writer.sealed.keys(), writer);
      observer.receive(space.main, writer.changesLackedBy(observer.replica, space.main), true);
      await observer.index.prepare(space.main);
    },
  );
  observer.close();
  const untouched = ids.filter((id) => !touched.has(id));
  expect(touched.size).toBeGreaterThan(5);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
  expect(
    seen
      .map(({ id }) => id)
      .filter((id) => !touched.has(id))
      .toSorted(),
  ).toEqual(untouched.toSorted());
});
