import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { SimulatedSpace } from "../../../core/test/support/simulated-space.js";
import { IndexedObserver } from "./support/indexed-observer.js";
import { compareBranch } from "./support/oracle.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-late-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test.each([-90_000, -1_500, 2_500, 90_000])(
  "[IX6] a clock found to have been off by %s ms gives states at dates other times, on forks too",
  async (offsetMs) => {
    using space = new SimulatedSpace();
    const [writer, observer] = [
      space.addReplica(),
      new IndexedObserver(space, join(dir, `${offsetMs}.sqlite`)),
    ];
    const { main } = space;
    const id = await writer.remember(main, { content: "amber" });
    for (const content of ["birch", "cedar", "delta"]) {
      space.tick();
      await writer.revise(main, id, { content });
    }
    const fork = writer.fork(main);
    space.tick();
    await writer.revise(fork, id, { content: "on the fork" });
    await writer.revise(main, id, { content: "on main" });
    observer.receiveSealed(writer.sealed.keys(), writer);
    for (const branch of [main, fork]) {
      observer.receive(branch, writer.changes(branch), false);
      await compareBranch(observer, branch, 4);
    }
    const correction = { replica: writer.id, epoch: 0, document: main, fromSeq: 2, lastSeq: 3, offsetMs };
    space.corrections.push(correction);
    for (const branch of [fork, main]) await compareBranch(observer, branch, 4);
    space.corrections.push({ ...correction, document: fork, fromSeq: 1, lastSeq: 9 });
    for (const branch of [main, fork]) await compareBranch(observer, branch, 4);
    observer.close();
    for (const branch of [main, fork]) await compareBranch(observer, branch, 4);
    observer.close();
  },
);

test("[IX3] a memory is shown as its newest readable version, marked, until its record has come", async () => {
  using space = new SimulatedSpace();
  const [writer, observer] = [space.addReplica(), new IndexedObserver(space, join(dir, "late.sqlite"))];
  const { main } = space;
  const id = await writer.remember(main, { content: "amber" });
  const early = [...writer.sealed.keys()];
  const fork = writer.fork(main);
  for (const branch of [main, fork]) {
    space.tick();
    await writer.revise(branch, id, { content: `on ${branch}` });
  }
  const other = await writer.remember(main, { content: "unseen" });
  for (const branch of [main, fork]) observer.receive(branch, writer.changes(branch), false);
  observer.receiveSealed(early, writer);
  const shown = async () => {
    for (const branch of [fork, main]) await compareBranch(observer, branch, 4);
    const row = await observer.index.prepare(main);
    const { states, tables } = observer.index;
    const now = states.stateAt(row, undefined);
    const memory = states.memory(now, tables.memories.numberOf(id));
    const isThere = states.memory(now, tables.memories.numberOf(other)) !== undefined;
    return [memory?.content, memory?.incomplete?.length, isThere, states.counts(now).unreadable];
  };
  expect(await shown()).toEqual(["amber", 1, false, 1]);
  observer.close(); // what is awaited is remembered between sessions
  expect(await shown()).toEqual(["amber", 1, false, 1]);
  observer.receiveSealed(writer.sealed.keys(), writer);
  expect(await shown()).toEqual([`on ${main}`, undefined, true, 0]);
  observer.close();
});

test("[IX3] a record is shown once the pack comes that holds what it did not change", async () => {
  using space = new SimulatedSpace();
  const [first, second] = [space.addReplica(), space.addReplica()];
  const observer = new IndexedObserver(space, join(dir, "parts.sqlite"));
  const { main } = space;
  const id = await first.remember(main, { content: "amber" });
  second.receive(main, first.changes(main));
  for (const [name, sealed] of first.sealed) second.sealed.set(name, sealed);
  space.tick();
  await second.revise(main, id, { tags: ["red"] });
  observer.receive(main, second.changes(main), false);
  const shown = async () => {
    await compareBranch(observer, main, 4);
    const row = await observer.index.prepare(main);
    const { states, tables } = observer.index;
    const memory = states.memory(states.stateAt(row, undefined), tables.memories.numberOf(id));
    return [memory?.content, memory?.tags, memory?.incomplete?.length];
  };
  const own = [...second.sealed.keys()].filter((name) => !first.sealed.has(name));
  observer.receiveSealed(own, second);
  await shown();
  observer.receiveSealed(first.sealed.keys(), first);
  expect(await shown()).toEqual(["amber", ["red"], undefined]);
  observer.close();
});

test("[IX17] an index that is thrown away while it looks for late records is not called damaged", async () => {
  using space = new SimulatedSpace();
  const [writer, observer] = [space.addReplica(), new IndexedObserver(space, join(dir, "away.sqlite"))];
  const { main } = space;
  for (const content of ["amber", "birch", "cedar", "delta"]) await writer.remember(main, { content });
  observer.receive(main, writer.changes(main), false);
  for (let hops = 0; hops < 20; hops += 1) {
    observer.index.clear();
    await observer.index.prepare(main); // none of its records are here
    observer.close(); // so that all of them are looked for again
    const prepared = observer.index.prepare(main);
    for (let hop = 0; hop < hops; hop += 1) await undefined;
    observer.index.clear();
    await prepared;
    expect([hops, observer.index.tables.index.isDamaged]).toEqual([hops, false]);
  }
  observer.receiveSealed(writer.sealed.keys(), writer);
  await compareBranch(observer, main, 4);
  observer.close();
});
