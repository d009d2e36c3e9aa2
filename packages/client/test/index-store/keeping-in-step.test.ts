import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { deliver, SimulatedSpace } from "../../../core/test/support/simulated-space.js";
import { IndexedObserver } from "./support/indexed-observer.js";
import { compareBranch } from "./support/oracle.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-steps-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const ticks = async (count: number): Promise<void> => {
  for (let done = 0; done < count; done += 1) await Promise.resolve();
};

/** A fork of a branch, both written to, and everything of them on an observer that has not looked yet. */
async function unread(name: string) {
  const space = new SimulatedSpace();
  const [writer, observer] = [space.addReplica(), new IndexedObserver(space, join(dir, `${name}.sqlite`))];
  const id = await writer.remember(space.main, { content: "amber" });
  space.tick();
  await writer.revise(space.main, id, { content: "birch" });
  const fork = writer.fork(space.main);
  for (const branch of [space.main, fork]) {
    space.tick();
    await writer.revise(branch, id, { content: `on ${branch}` });
    observer.receive(branch, writer.changes(branch), false);
  }
  observer.receiveSealed(writer.sealed.keys(), writer);
  return {
    ...{ space, writer, observer, fork, id },
    [Symbol.dispose]() {
      observer.close();
      space[Symbol.dispose]();
    },
  };
}

const MOMENTS =
  process.env.CAMBIUM_SOAK === "1" ? [0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 45] : [0, 1, 3, 6, 13, 30];

describe("what happens while a branch is being followed", () => {
  test.each(MOMENTS)("[IX4] the index thrown away %s steps into it is made again", async (moment) => {
    using fixture = await unread(`clear-${moment}`);
    const { observer, fork, space } = fixture;
    const reading = observer.index.prepare(fork);
    await ticks(moment);
    observer.index.clear();
    await reading;
    for (const branch of [fork, space.main]) await compareBranch(observer, branch, 2);
  });

  test.each(MOMENTS)(
    "[IX7] its parent's document replaced %s steps into it is followed anew",
    async (moment) => {
      using fixture = await unread(`replace-${moment}`);
      const { observer, fork, space } = fixture;
      await observer.index.prepare(space.main);
      const reading = observer.index.prepare(fork);
      await ticks(moment);
      observer.tell({ branch: space.main, isReplaced: true });
      await reading;
      for (const branch of [fork, space.main]) await compareBranch(observer, branch, 2);
    },
  );

  test.each(MOMENTS)(
    "[IX2] a late record of its parent %s steps into it reaches the fork",
    async (moment) => {
      using fixture = await unread(`late-${moment}`);
      const { observer, writer, fork, space, id } = fixture;
      await observer.index.prepare(space.main);
      observer.loaded.add(space.main);
      space.tick();
      const later = writer.fork(space.main);
      await writer.revise(space.main, id, { content: "while it was followed" });
      observer.receive(later, writer.changes(later), false);
      const nested = writer.fork(space.main);
      observer.receive(nested, writer.changes(nested), false);
      const reading = Promise.all([fork, later, nested].map((branch) => observer.index.prepare(branch)));
      await ticks(moment);
      observer.receive(space.main, writer.changesLackedBy(observer.replica, space.main), true);
      await reading;
      for (const branch of [nested, later, fork, space.main]) await compareBranch(observer, branch, 2);
      observer.receiveSealed(writer.sealed.keys(), writer);
      for (const branch of [nested, later, fork, space.main]) await compareBranch(observer, branch, 2);
      expect(observer.index.tables.rows.all()).toHaveLength(4);
    },
  );
});

test.each([true, false])(
  "[IX2] a fork that was merged into before its document came shows at every date what it really held (in memory: %s)",
  async (isLoaded) => {
    using space = new SimulatedSpace();
    const [writer, merger] = [space.addReplica(), space.addReplica()];
    const { main } = space;
    await writer.remember(main, { content: "known early" });
    space.tick();
    const id = await writer.remember(main, { content: "known too" });
    deliver(writer, merger);
    space.tick();
    const fork = writer.fork(main);
    const observer = new IndexedObserver(space, join(dir, `merged-before-${isLoaded}.sqlite`));
    observer.receiveSealed(writer.sealed.keys(), writer);
    observer.receive(main, writer.changes(main), false);
    observer.receive(fork, [], false); // it is listed, and nothing of it is here but how each begins
    await observer.index.prepare(fork);
    if (isLoaded) observer.loaded.add(fork);
    space.tick();
    await merger.merge(main, fork);
    observer.replica.receive(fork, merger.changes(fork));
    if (isLoaded) observer.tell({ branch: fork, isLocal: true }); // as one that merges itself
    await compareBranch(observer, fork, 4);
    space.tick();
    await writer.revise(fork, id, { content: "on the fork" });
    const nested = merger.fork(fork);
    for (const branch of [fork, nested]) {
      const from = branch === fork ? writer : merger;
      observer.receive(branch, from.changes(branch), false);
      observer.receiveSealed(from.sealed.keys(), from);
    }
    for (const branch of [nested, fork, main]) await compareBranch(observer, branch, 4);
    observer.close();
  },
);

test("[IX2] a fork of a fork, left before that began, counts what a merge brings from the merge on", async () => {
  using space = new SimulatedSpace();
  const [writer, observer] = [space.addReplica(), new IndexedObserver(space, join(dir, "before.sqlite"))];
  const { main } = space;
  await writer.remember(main, { content: "amber" });
  const [genesis] = writer.history(main).changes;
  const nested = writer.fork(writer.fork(main), genesis === undefined ? [] : [genesis.hash]);
  space.tick();
  await writer.merge(main, nested);
  observer.receiveSealed(writer.sealed.keys(), writer);
  for (const branch of [main, ...writer.branchesHere()])
    if (branch !== nested) observer.receive(branch, writer.changes(branch), false);
  for (const change of writer.changes(nested)) {
    observer.receive(nested, [change], false);
    await compareBranch(observer, nested, 4);
  }
  observer.close();
});

test("[IX2] where a branch comes from may be known only after its changes", async () => {
  using fixture = await unread("late-entry");
  const { observer, fork, space, writer } = fixture;
  observer.unknown.add(fork);
  const nested = writer.fork(fork);
  observer.receive(nested, writer.changes(nested), false);
  for (const branch of [nested, fork, space.main]) await observer.index.prepare(branch);
  observer.unknown.clear();
  for (const branch of [nested, fork, space.main]) await compareBranch(observer, branch, 4);
});

test("[IX2] the log says who wrote each version, also one that was superseded in the moment in which it came", async () => {
  using space = new SimulatedSpace();
  const [writer, observer] = [space.addReplica(), new IndexedObserver(space, join(dir, "superseded.sqlite"))];
  writer.context = () => ({ at: writer.now(), author: { agent: "tester", replica: writer.id } });
  const { main } = space;
  const id = await writer.remember(main, { content: "amber" });
  observer.receiveSealed(writer.sealed.keys(), writer);
  observer.receive(main, writer.changes(main), false);
  await observer.index.prepare(main);
  observer.loaded.add(main);
  space.tick();
  for (const content of ["birch", "cedar", "delta"]) await writer.revise(main, id, { content });
  observer.receive(main, writer.changesLackedBy(observer.replica, main), false);
  observer.receiveSealed(writer.sealed.keys(), writer);
  const row = await observer.index.prepare(main);
  const { log, states } = observer.index;
  const entries = log.entries(states.stateAt(row, undefined), { since: -1, limit: 9, after: undefined });
  expect(entries.map(({ by }) => by.agent)).toEqual(["tester", "tester", "tester", "tester"]);
  observer.close();
});
