import { describe, expect, test } from "vitest";
import { type ChangeHash, parseFields } from "../../src/index.js";
import { appearances, openConflicts } from "../support/expectations.js";
import { deliverAll, deliverChanges, deliverRecords, SimulatedSpace } from "../support/simulated-space.js";

describe("undo", () => {
  test("[BR20] takes back what a change did, as a change of its own", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const replica = space.addReplica();
    const id = await replica.remember(main, { content: "tea", tags: ["warm"] });
    const before = await appearances(replica, main);
    const revised = await replica.revise(main, id, { content: "coffee", importance: 1, tags: [] });
    const { heads } = replica.history(main);
    const { change, kept } = await replica.undo(main, revised);
    expect(kept).toEqual([]);
    expect(await appearances(replica, main)).toEqual(before);
    expect(replica.history(main).get(change)).toMatchObject({ deps: heads, statement: { of: [revised] } });
  });

  test("[BR20] takes back a forget, a restore and a first remember", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const replica = space.addReplica();
    const id = await replica.remember(main, { content: "tea" });
    const [remembered] = replica.history(main).heads as [ChangeHash];
    const deleted = async () => (await replica.memory(main, id)).deleted;
    const forgotten = await replica.forget(main, id);
    await replica.undo(main, forgotten);
    expect(await deleted()).toBe(false);
    await replica.forget(main, id);
    const fields = { ...(await replica.memory(main, id)), deleted: false };
    await replica.undo(main, await replica.restore(main, id, fields));
    expect(await deleted()).toBe(true);
    await replica.restore(main, id, fields);
    await replica.undo(main, remembered);
    expect(await deleted()).toBe(true);
  });

  test("[BR21] fields that were written again since stay, and are reported", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const replica = space.addReplica();
    const id = await replica.remember(main, { content: "tea", kind: "fact" });
    const revised = await replica.revise(main, id, { content: "coffee", kind: "habit", area: "home" });
    await replica.revise(main, id, { kind: "ritual" });
    const { kept } = await replica.undo(main, revised);
    expect(kept).toEqual([{ id, fields: ["kind"] }]);
    const memory = await replica.memory(main, id);
    expect(memory).toMatchObject({ content: "tea", kind: "ritual" });
    expect(memory.area).toBeUndefined();
  });

  test("[BR22] a field that someone else wrote at the same time stays in conflict: no value goes unseen", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const [one, two] = [space.addReplica(), space.addReplica()];
    const id = await one.remember(main, { content: "tea", kind: "fact" });
    deliverAll(space);
    const offline = await two.revise(main, id, { kind: "ritual" });
    space.tick();
    const revised = await one.revise(main, id, { kind: "habit", area: "home" });
    deliverAll(space);
    for (const [change, fields] of [
      [revised, ["kind"]],
      [offline, ["kind"]],
    ] as const) {
      const { kept } = await one.undo(main, change);
      expect(kept).toEqual([{ id, fields }]);
      expect(openConflicts(await one.memory(main, id))).toEqual({ kind: ["habit", "ritual"] });
    }
    expect((await one.memory(main, id)).area).toBeUndefined();
  });

  test("[BR23] an undo can be undone, and that again", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const replica = space.addReplica();
    const id = await replica.remember(main, { content: "tea" });
    const before = await appearances(replica, main);
    let change = await replica.revise(main, id, { content: "coffee", tags: ["hot"] });
    const after = await appearances(replica, main);
    for (const expected of [before, after, before]) {
      change = (await replica.undo(main, change)).change;
      expect(await appearances(replica, main)).toEqual(expected);
    }
  });

  test("[BR24] undoing a merge takes back what it brought and what it decided, and leaves the rest", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const replica = space.addReplica();
    const id = await replica.remember(main, { content: "tea", kind: "fact" });
    const work = replica.fork(main);
    await replica.merge(work, main);
    await replica.remember(work, { content: "first" });
    await replica.merge(work, main);
    await replica.revise(main, id, { kind: "preference" });
    const before = await appearances(replica, main);
    const made = await replica.remember(work, { content: "second" });
    await replica.revise(work, id, { kind: "habit", area: "office" });
    const { change } = await replica.merge(work, main, { strategy: "source" });
    expect(await replica.memory(main, id)).toMatchObject({ kind: "habit" });
    const { kept } = await replica.undo(main, change as ChangeHash);
    expect(kept).toEqual([]);
    expect(await replica.memory(main, made)).toMatchObject({ deleted: true });
    const { [made]: _made, ...rest } = await appearances(replica, main);
    expect(rest).toEqual(before);
  });

  test("[BR24] undoing a merge leaves what its own branch had before the fork, though the source had it too", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const replica = space.addReplica();
    await replica.remember(main, { content: "tea", kind: "fact" });
    const id = await replica.remember(main, { content: "coffee", kind: "fact" });
    const before = await appearances(replica, main);
    const work = replica.fork(main);
    await replica.revise(work, id, { kind: "habit" });
    const { change } = await replica.merge(work, main);
    await replica.undo(main, change as ChangeHash);
    expect(await appearances(replica, main)).toEqual(before);
  });

  test("[BR24] undoing a merge into a branch leaves what the branch had from its fork", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const replica = space.addReplica();
    const early = await replica.remember(main, { content: "early" });
    const work = replica.fork(main);
    const late = await replica.remember(main, { content: "late" });
    const { change } = await replica.merge(main, work);
    await replica.undo(work, change as ChangeHash);
    expect(await replica.memory(work, early)).toMatchObject({ deleted: false });
    expect(await replica.memory(work, late)).toMatchObject({ deleted: true });
  });

  test("[BR25] with records missing, what was there before cannot be told: CONTENT_NOT_HERE", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const [writer, reviser, late] = [space.addReplica(), space.addReplica(), space.addReplica()];
    const id = await writer.remember(main, { content: "tea" });
    deliverChanges(writer, reviser);
    deliverRecords(writer, reviser);
    const own = reviser.sealed.size;
    const revised = await reviser.revise(main, id, { tags: ["hot"], content: "green tea" });
    deliverChanges(reviser, late);
    for (const [name, sealed] of [...reviser.sealed].slice(own)) late.sealed.set(name, sealed);
    await expect(late.undo(main, revised)).rejects.toMatchObject({ code: "CONTENT_NOT_HERE" });
    deliverAll(space);
    await late.undo(main, revised);
    expect(await late.memory(main, id)).toMatchObject({ content: "tea", tags: [], deleted: false });
  });

  test("[BR26] a change that is not here is HEADS_NOT_HERE", async () => {
    using space = new SimulatedSpace();
    const replica = space.addReplica();
    await expect(replica.undo(space.main, "0".repeat(64) as ChangeHash)).rejects.toMatchObject({
      code: "HEADS_NOT_HERE",
    });
  });

  test("[BR27] a restore decides every field that differs, and every field in conflict", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const [one, two] = [space.addReplica(), space.addReplica()];
    const id = await one.remember(main, { content: "tea", kind: "fact" });
    const first = await one.memory(main, id);
    const fields = { ...parseFields({ content: first.content, kind: first.kind }).fields };
    deliverAll(space);
    await one.revise(main, id, { kind: "habit", area: "home" });
    await two.revise(main, id, { kind: "ritual" });
    deliverAll(space);
    await one.restore(main, id, {
      content: "tea",
      tags: [],
      aliases: [],
      pins: [],
      links: [],
      deleted: false,
      ...fields,
    });
    expect(await one.memory(main, id)).toMatchObject({ kind: "fact", conflicts: [] });
    expect((await one.memory(main, id)).area).toBeUndefined();
  });
});
