import fc from "fast-check";
import { expect, test } from "vitest";
import { type ChangeHash, logOf, signMessage } from "../../src/index.js";
import { historySteps, playHistory, writeAtRandom } from "../support/random-histories.js";
import type { SimulatedReplica } from "../support/simulated-replica.js";
import { deliverAll, SimulatedSpace } from "../support/simulated-space.js";

test("[TI10] the log lists every change once, newest first, each before what it builds on", () => {
  const offset = fc.integer({ min: -100_000, max: 100_000 });
  fc.assert(
    fc.property(historySteps, offset, (steps, clockOffsetMs) => {
      const { space, replicas } = playHistory(steps);
      using _ = space;
      const [, wrong, observer] = replicas as [SimulatedReplica, SimulatedReplica, SimulatedReplica];
      wrong.clockOffsetMs = clockOffsetMs;
      writeAtRandom(wrong, space.main, [0]);
      deliverAll(space);
      writeAtRandom(observer, space.main, [0]);
      const log = logOf(observer.state(space.main));
      expect(log).toHaveLength(observer.history(space.main).size - 1);
      const placeByHash = new Map(log.map(({ hash }, place) => [hash, place]));
      expect(placeByHash.size).toBe(log.length);
      for (const [place, { parents, at }] of log.entries()) {
        for (const parent of parents) expect(placeByHash.get(parent)).toBeGreaterThan(place);
        expect(at).toBeGreaterThanOrEqual(log[place + 1]?.at ?? 0);
      }
    }),
    { numRuns: Math.max(30, fc.readConfigureGlobal().numRuns ?? 0) },
  );
});

test("[TI11] changes that nobody vouches for are left out, and what builds on them points past them", () => {
  using space = new SimulatedSpace();
  const replica = space.addReplica();
  writeAtRandom(replica, space.main, [0]);
  const [honest] = replica.history(space.main).heads as [ChangeHash];
  const forged = replica.writeChange(space.main, { type: "merge", memories: [] }, [], undefined, () => "");
  writeAtRandom(replica, space.main, [1]);
  const log = logOf(replica.state(space.main));
  expect(log.map(({ hash }) => hash)).not.toContain(forged);
  expect(log.map(({ parents }) => parents)).toEqual([[honest], []]);
});

test("[TI12] an entry says what was done, to what, by whom, on which branch, and from where", async () => {
  using space = new SimulatedSpace();
  const replica = space.addReplica();
  const work = replica.fork(space.main);
  const id = await replica.remember(work, { content: "tea" });
  const { change } = await replica.merge(work, space.main);
  const { change: undo } = await replica.undo(space.main, change as ChangeHash);
  const by = { replica: replica.id };
  expect(logOf(replica.state(space.main))).toMatchObject([
    { hash: undo, type: "undo", memories: [id], by, branch: space.main, of: [change] },
    { hash: change, type: "merge", memories: [], by, branch: space.main, from: work },
    { type: "remember", memories: [id], by, branch: work },
  ]);
});

test("[TI12] of more than 16 memories an entry says how many", () => {
  using space = new SimulatedSpace();
  const replica = space.addReplica();
  const statement = { type: "import", memories: 17 } as const;
  replica.writeChange(space.main, statement, [], undefined, signMessage);
  expect(logOf(replica.state(space.main))).toMatchObject([{ type: "import", memories: 17 }]);
});
