import { copyFileSync } from "node:fs";
import { type BranchId, bytesToHex, readMemory, versionsOf } from "@cambium/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SimulatedSpace } from "../../../core/test/support/simulated-space.js";
import type { IndexedState } from "../../src/index-store/state-queries.js";
import { Recaller } from "../../src/space/recaller.js";
import type { FoundState } from "../../src/space/state-finder.js";
import { indexPaths } from "./support/index-paths.js";
import { IndexedObserver, type OpenIndex } from "./support/indexed-observer.js";
import { WORDS } from "./support/space-life.js";
import { arriveWhole, watched, watchedLives } from "./support/watched-life.js";

const newPath = indexPaths();

const EVERYTHING = 1_000;
const RUNS = { numRuns: Math.max(12, fc.readConfigureGlobal().numRuns ?? 0) };

/** What an index tells of a branch: its log, and of every state what it shows and every version of it. */
async function told({ index }: OpenIndex, observer: IndexedObserver, branch: BranchId): Promise<string[]> {
  const row = await index.prepare(branch);
  const { history, times } = observer.replica.state(branch);
  const dates = [...new Set(times)].flatMap((at) => [at - 1, at]).sort((a, b) => a - b);
  const states: [string, IndexedState][] = [["now", index.states.stateAt(row, undefined)]];
  for (const at of dates) states.push([`at ${at}, ${index.headsAt(row, at)}`, index.states.stateAt(row, at)]);
  for (const { hash } of history.changes) {
    states.push([
      `${hash} ${bytesToHex(index.digestAt(row, [hash]))}`,
      await index.stateAtHeads(row, [hash]),
    ]);
  }
  const answers: string[] = [];
  for (const [name, state] of states) {
    const shown = index.states.list(state, { forgotten: "with", passes: () => true }, EVERYTHING, undefined);
    const log = index.log.entries(state, { since: -1, limit: EVERYTHING, after: undefined });
    const versions: unknown[] = [];
    for (const { id } of shown) {
      const writes = index.states.writesAt(state, index.tables.memories.numberOf(id));
      const reading = await readMemory(writes, id, index.load);
      versions.push(reading && [versionsOf(reading), reading.countsFrom(reading.resolved.shown)]);
    }
    const unreadable = index.states.unreadable(state).map((number) => index.tables.memories.idOf(number));
    const conflicts = index.states.unsettled(state).map(({ id, record }) => [id, record]);
    answers.push(JSON.stringify({ name, shown, log, versions, unreadable: unreadable.sort(), conflicts }));
  }
  return answers;
}

/** What an index recalls of a branch: now, at every date, and at every change. */
async function recalled(open: OpenIndex, observer: IndexedObserver, branch: BranchId): Promise<unknown[]> {
  const { index, lists } = open;
  const now = () => observer.space.clock.now;
  using recaller = new Recaller({ index, lists, now, usageOf: () => 0, nearest: async () => undefined });
  const row = await index.prepare(branch);
  const { history, times } = observer.replica.state(branch);
  const states = [
    { state: index.states.stateAt(row, undefined), isNow: true, at: undefined },
    ...[...new Set(times)].sort().map((at) => ({ state: index.states.stateAt(row, at), isNow: false, at })),
  ];
  for (const { hash } of history.changes) {
    states.push({ state: await index.stateAtHeads(row, [hash]), isNow: false, at: undefined });
  }
  const answers: unknown[] = [];
  for (const [number, { state, isNow, at }] of states.entries()) {
    const query = `${WORDS[number % WORDS.length]} ${WORDS[(number * 3 + 1) % WORDS.length]}`;
    const name = branch === observer.space.main ? "main" : branch;
    const ref = { ref: at === undefined ? name : `${name}@${new Date(at).toISOString()}` };
    const found = { state, isNow, at, branch: { name }, ref } as unknown as FoundState;
    const memories = await recaller.recall(query, found, EVERYTHING, {});
    answers.push({ number, query, memories: memories.toSorted((a, b) => (a.id < b.id ? -1 : 1)) });
  }
  return answers;
}

test("[IX2] an index made anew finds the same as one that was kept", async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(watchedLives, (given) =>
      watched(given, newPath(), async (watching) => {
        const { observer, next } = watching;
        if (next() < 0.5) arriveWhole(watching);
        const branches = observer.replica.branchesHere();
        for (const branch of branches) await observer.index.prepare(branch);
        const kept = [];
        const keptTold = [];
        for (const branch of branches) keptTold.push(await told(observer.opened, observer, branch));
        for (const branch of branches) kept.push(await recalled(observer.opened, observer, branch));
        const fresh = observer.fresh(newPath());
        fresh.index.onProgress(() => {
          if (next() < 0.1) fresh.index.tables.bringListsUpToDate(); // as a search meanwhile
        });
        for (const branch of branches) await fresh.index.prepare(branch);
        const anew = [];
        for (const [number, branch] of branches.entries())
          expect(keptTold[number], branch).toEqual(await told(fresh, observer, branch));
        for (const branch of branches) anew.push(await recalled(fresh, observer, branch));
        fresh.index.close();
        found += JSON.stringify(kept).length;
        expect(kept).toEqual(anew);
      }),
    ),
    RUNS,
  );
  expect(found).toBeGreaterThan(10_000);
});

test("[IX4] an index that was not whole yet when its process ended is begun anew", async () => {
  using space = new SimulatedSpace(1);
  const writer = space.addReplica();
  for (let count = 0; count < 40; count += 1) {
    await writer.remember(space.main, { content: `number ${count}` });
    space.tick();
  }
  const observer = new IndexedObserver(space, newPath());
  observer.receiveSealed(writer.sealed.keys(), writer);
  observer.receive(space.main, writer.changes(space.main), false);
  const cut = newPath();
  observer.index.onProgress(({ done }) => {
    if (done === 24) copyFileSync(observer.path, cut);
  });
  const row = await observer.index.prepare(space.main);
  const { index } = observer.fresh(cut);
  expect(index.tables.isEmpty).toBe(true);
  const again = await index.prepare(space.main);
  const listed = ({ states }: typeof index, of: typeof row) =>
    states.list(
      states.stateAt(of, undefined),
      { forgotten: "without", passes: () => true },
      EVERYTHING,
      undefined,
    );
  expect(listed(index, again)).toHaveLength(40);
  expect(listed(index, again)).toEqual(listed(observer.index, row));
  index.close();
  observer.close();
});
