import type { BranchId, ChangeHash } from "@cambium/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { deliver, SimulatedSpace } from "../../../core/test/support/simulated-space.js";
import { Recaller } from "../../src/space/recaller.js";
import type { FoundState } from "../../src/space/state-finder.js";
import { indexPaths } from "./support/index-paths.js";
import { IndexedObserver } from "./support/indexed-observer.js";
import { WORDS } from "./support/space-life.js";
import { arriveWhole, type Watching, watched, watchedLives } from "./support/watched-life.js";

const newPath = indexPaths();

const ALL = { forgotten: "with" as const, passes: () => true };
const EVERYTHING = 1_000;
const RUNS = { numRuns: Math.max(15, fc.readConfigureGlobal().numRuns ?? 0) };

interface Told {
  readonly branch: BranchId;
  readonly heads: readonly ChangeHash[];
  readonly answer: NonNullable<Awaited<ReturnType<typeof tell>>>;
}

/** @returns undefined while records are late: then the answer may become fuller */
async function tell(
  { observer }: Pick<Watching, "observer">,
  branch: BranchId,
  heads: readonly ChangeHash[],
  words: readonly string[] = WORDS.slice(0, 2),
) {
  const { index, lists } = observer.opened;
  const row = await index.prepare(branch);
  const state = await index.stateAtHeads(row, index.headsAmong(row, heads));
  const shown = index.states.list(state, ALL, EVERYTHING, undefined);
  const isWhole = shown.every(({ incomplete }) => incomplete === undefined);
  if (!isWhole || index.states.unreadable(state).length > 0) return undefined;
  const now = (): number => observer.space.clock.now;
  using recaller = new Recaller({ index, lists, now, usageOf: () => 0, nearest: async () => undefined });
  const found = { state, isNow: false, at: undefined, branch: { name: branch } } as unknown as FoundState;
  const recalled: unknown[] = [];
  for (const word of words) {
    const memories = await recaller.recall(word, found, EVERYTHING, {});
    recalled.push(memories.flatMap(({ id, alike = [] }) => [id, ...alike]).sort());
  }
  const entries = index.log.entries(state, { since: -1, limit: EVERYTHING, after: undefined });
  // Who wrote, and why, stands in records: that of a superseded version may be late, and nothing shown lacks it.
  const log = entries.map(({ by: _by, reason: _reason, ...entry }) => entry);
  // Since when a change counts depends on where its branch comes from, which may be told late.
  return { shown, recalled, log: observer.unknown.size === 0 ? log : undefined };
}

test("[IX15] what certain changes led to is told alike for ever, whatever comes later", async () => {
  let told = 0;
  const lives = fc.asyncProperty(watchedLives, (given) => {
    const before: Told[] = [];
    const look = async (watching: Watching): Promise<void> => {
      const { observer, next } = watching;
      for (const branch of observer.replica.branchesHere()) {
        const { changes } = observer.replica.history(branch);
        const heads = [1, 2].map(() => changes[Math.floor(next() * changes.length)]?.hash as ChangeHash);
        const answer = await tell(watching, branch, heads);
        if (answer !== undefined) before.push({ branch, heads, answer });
      }
    };
    return watched(
      given,
      newPath(),
      async (watching) => {
        arriveWhole(watching);
        for (const { branch, heads, answer } of before) {
          const now = await tell(watching, branch, heads);
          expect({ ...now, log: answer.log && now?.log }).toEqual(answer);
        }
        told += before.length;
      },
      look,
    );
  });
  await fc.assert(lives, RUNS);
  expect(told).toBeGreaterThan(50);
});

/** Two replicas write one memory unaware of each other, and their texts merge cleanly. */
async function writtenApart(space: SimulatedSpace) {
  const [one, other, late] = [space.addReplica(), space.addReplica(), space.addReplica()];
  const observer = new IndexedObserver(space, newPath());
  const id = await one.remember(space.main, { content: "alpha; beta; gamma; delta; epsilon; zeta" });
  for (const to of [other, late]) deliver(one, to);
  space.tick();
  await late.revise(space.main, id, { content: "written offline, first of all" });
  space.tick();
  await one.revise(space.main, id, { content: "alpha; NEWER; gamma; delta; epsilon; zeta" });
  space.tick();
  await other.revise(space.main, id, { content: "alpha; beta; gamma; delta; OTHER; zeta" });
  for (const from of [one, other]) {
    observer.receive(space.main, from.changes(space.main), false);
    observer.receiveSealed(from.sealed.keys(), from);
  }
  const heads = observer.replica.history(space.main).heads;
  return { other, late, observer, heads };
}

test("[IX10] a text that merged cleanly is found by its words at its heads, whatever older change comes later", async () => {
  using space = new SimulatedSpace();
  const { late, observer, heads } = await writtenApart(space);
  const words = ["newer", "other", "newer other", "alpha"];
  const before = await tell({ observer }, space.main, heads, words);
  expect(before?.shown).toMatchObject([
    { content: "alpha; NEWER; gamma; delta; OTHER; zeta", conflicts: [] },
  ]);
  expect(before?.recalled).toEqual(words.map(() => [before?.shown[0]?.id]));
  observer.receive(space.main, late.changesLackedBy(observer.replica, space.main), false);
  observer.receiveSealed(late.sealed.keys(), late);
  expect(await tell({ observer }, space.main, heads, words)).toEqual(before);
  expect((await tell({ observer }, space.main, heads, ["epsilon", "offline"]))?.recalled).toEqual([[], []]);
  observer.close(); // nothing of what was listed for that is kept
  expect(await tell({ observer }, space.main, heads, words)).toEqual(before);
  observer.close();
});

test("[IX15] which of two versions is shown, and what the log says, does not depend on what is known of clocks", async () => {
  using space = new SimulatedSpace();
  const { other, observer, heads } = await writtenApart(space);
  const before = await tell({ observer }, space.main, heads);
  expect(before?.shown).toMatchObject([{ by: { replica: other.id } }]);
  const { main: document } = space;
  space.corrections.push({
    replica: other.id,
    epoch: 0,
    document,
    fromSeq: 1,
    lastSeq: 9,
    offsetMs: -90_000,
  });
  expect(await tell({ observer }, space.main, heads)).toEqual(before);
  await other.remember(space.main, { content: "more" });
  observer.receive(space.main, other.changesLackedBy(observer.replica, space.main), false);
  observer.receiveSealed(other.sealed.keys(), other);
  expect(await tell({ observer }, space.main, heads)).toEqual(before);
  observer.close();
});
