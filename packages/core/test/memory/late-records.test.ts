import { describe, expect, test } from "vitest";
import {
  encodeReferences,
  type MemoryId,
  memoryKey,
  planCreate,
  type Reference,
  readMemory,
  referencesAt,
} from "../../src/index.js";
import { appearances, openConflicts } from "../support/expectations.js";
import { headerName, type SimulatedReplica } from "../support/simulated-replica.js";
import {
  deliver,
  deliverAll,
  deliverChanges,
  deliverRecords,
  SimulatedSpace,
} from "../support/simulated-space.js";

describe("records that are late", () => {
  test("[CO60] a reference ahead of its record: the newest readable ancestor, marked, never empty", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const [writer, late] = [space.addReplica(), space.addReplica()];
    const id = await writer.remember(main, { content: "tea" });
    deliver(writer, late);
    await writer.revise(main, id, { content: "green tea" });
    const { record } = await writer.memory(main, id);
    deliverChanges(writer, late);
    expect(await late.memory(main, id)).toMatchObject({ content: "tea", incomplete: [record] });
    deliverRecords(writer, late);
    expect(await late.memory(main, id)).toEqual(await writer.memory(main, id));
    expect((await late.memory(main, id)).incomplete).toBeUndefined();
  });

  test("[CO60] which older records stand in does not depend on the order of arrival", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const [one, two, three] = [space.addReplica(), space.addReplica(), space.addReplica()];
    const readers = [space.addReplica(), space.addReplica()] as const;
    const id = await one.remember(main, { content: "tea", kind: "fact" });
    deliverAll(space);
    await one.revise(main, id, { kind: "habit", area: "home" });
    await two.revise(main, id, { kind: "ritual", tags: ["hot"] });
    for (const [reader, order] of [
      [readers[0], [one, two]],
      [readers[1], [two, one]],
    ] as const) {
      for (const from of order) deliver(from, reader);
    }
    for (const from of [one, two]) deliver(from, three);
    await three.revise(main, id, { importance: 1 });
    for (const reader of readers) deliverChanges(three, reader);
    const [first, second] = [await readers[0].memory(main, id), await readers[1].memory(main, id)];
    expect(first).toEqual(second);
    expect(first).toMatchObject({ area: "home", tags: ["hot"] });
    expect(openConflicts(first)).toEqual({ kind: ["habit", "ritual"] });
  });

  test("[CO61] a write while the other side's pack is late does not throw its edit away", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const [one, two] = [space.addReplica(), space.addReplica()];
    const id = await one.remember(main, { content: "tea", kind: "fact" });
    deliverAll(space);
    await one.revise(main, id, { kind: "habit", area: "home" });
    deliverChanges(one, two);
    await two.revise(main, id, { kind: "ritual", tags: ["hot"] });
    await two.revise(main, id, { importance: 1 });
    deliverAll(space);
    for (const replica of space.replicas) {
      const memory = await replica.memory(main, id);
      expect(memory).toMatchObject({ area: "home", tags: ["hot"], importance: 1 });
      expect(openConflicts(memory)).toEqual({ kind: ["habit", "ritual"] });
    }
  });

  test("[CO61] what was written over a late record builds on what was shown: other fields do not conflict", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const [one, two] = [space.addReplica(), space.addReplica()];
    const id = await one.remember(main, { content: "tea", kind: "fact" });
    deliverAll(space);
    await one.revise(main, id, { content: "green tea" });
    deliverChanges(one, two);
    await two.revise(main, id, { kind: "habit" });
    deliverAll(space);
    for (const replica of space.replicas) {
      expect(await replica.memory(main, id)).toMatchObject({
        content: "green tea",
        kind: "habit",
        conflicts: [],
      });
    }
  });

  test("[CO62] making a memory that another replica made, its record late, keeps both", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const [one, two] = [space.addReplica(), space.addReplica()];
    const id = await one.remember(main, { content: "tea", kind: "fact" });
    deliverChanges(one, two);
    expect(await two.read(main, id)).toBeUndefined();
    const carried = referencesAt(two.state(main), id);
    const write = planCreate(id, { content: "tea", kind: "habit" }, two.context(), {
      type: "import",
      carried,
    });
    await two.commit({ branch: main, type: "import", writes: [write] });
    deliverAll(space);
    for (const replica of space.replicas) {
      expect(openConflicts(await replica.memory(main, id))).toEqual({ kind: ["fact", "habit"] });
    }
  });

  test("[CO63] a memory none of whose records came is not there yet", async () => {
    using space = new SimulatedSpace();
    const [one, two] = [space.addReplica(), space.addReplica()];
    const id = await one.remember(space.main, { content: "tea" });
    deliverChanges(one, two);
    expect(await two.read(space.main, id)).toBeUndefined();
    deliverRecords(one, two);
    expect(await appearances(two, space.main)).toEqual(await appearances(one, space.main));
  });
});

describe("records that are not what their name says", () => {
  /** Makes `id` refer to what is not a record of it, in a change that a member signed. */
  function refer(replica: SimulatedReplica, id: MemoryId, reference: Reference): void {
    const { main } = replica.space;
    const write = { key: memoryKey(id), value: encodeReferences([reference]) };
    replica.writeChange(main, { type: "revise", memories: [id] }, [write]);
  }

  test("[CO64] a record of another memory is reported and not shown", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const replica = space.addReplica();
    const id = await replica.remember(main, { content: "tea" });
    const other = await replica.remember(main, { content: "poison" });
    const [reference] = referencesAt(replica.state(main), other) as [Reference];
    refer(replica, id, reference);
    const reading = await replica.reading(main, id);
    expect(reading.resolved.fields.content).toBe("tea");
    expect(reading.absent).toEqual([
      { status: "invalid", reference, reason: "The record belongs to another memory." },
    ]);
  });

  test("[CO64] a record under another pack does not open", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const [replica, other] = [space.addReplica(), space.addReplica()];
    const id = await replica.remember(main, { content: "tea" });
    const [{ record, pack }] = referencesAt(replica.state(main), id) as [Reference];
    const sealed = replica.sealed.get(headerName(pack, record)) as Uint8Array;
    const moved = { record, pack: other.pack };
    replica.sealed.set(headerName(moved.pack, record), sealed);
    refer(replica, id, moved);
    const reading = await replica.reading(main, id);
    expect(reading.resolved.fields.content).toBe("tea");
    expect(reading.absent).toMatchObject([{ status: "invalid", reference: moved }]);
  });

  test("[CO64] a record of another space does not open, even under the same key", async () => {
    using space = new SimulatedSpace(1);
    using foreign = new SimulatedSpace(2);
    const [replica, stranger] = [space.addReplica(), foreign.addReplica()];
    const id = await stranger.remember(foreign.main, { content: "poison" });
    for (const [name, sealed] of stranger.sealed) replica.sealed.set(name, sealed);
    const [reference] = referencesAt(stranger.state(foreign.main), id) as [Reference];
    refer(replica, id, reference);
    expect(await replica.read(space.main, id)).toBeUndefined();
    expect(await replica.load(reference, id)).toMatchObject({ status: "invalid" });
  });

  test("[CO65] an older reference written again by a change nobody signed does not roll a memory back", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const [replica, forger] = [space.addReplica(), space.addReplica()];
    const id = await replica.remember(main, { content: "tea" });
    const [older] = referencesAt(replica.state(main), id) as [Reference];
    await replica.revise(main, id, { content: "green tea" });
    deliver(replica, forger);
    const write = { key: memoryKey(id), value: encodeReferences([older]) };
    forger.writeChange(main, { type: "revise", memories: [id] }, [write], undefined, () => "");
    deliver(forger, replica);
    expect(await replica.memory(main, id)).toMatchObject({
      content: "green tea",
      conflicts: [],
      versions: 2,
    });
    await replica.revise(main, id, { content: "black tea" });
    expect(await replica.memory(main, id)).toMatchObject({
      content: "black tea",
      conflicts: [],
      versions: 3,
    });
  });

  test("[CO66] bytes that are no references are no records", async () => {
    using space = new SimulatedSpace();
    const replica = space.addReplica();
    const id = replica.newMemoryId();
    const write = { key: memoryKey(id), value: new Uint8Array(47) };
    replica.writeChange(space.main, { type: "revise", memories: [id] }, [write]);
    expect(await readMemory(replica.state(space.main), id, replica.load)).toBeUndefined();
  });
});
