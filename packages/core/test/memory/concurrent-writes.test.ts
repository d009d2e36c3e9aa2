import { describe, expect, test } from "vitest";
import { planCombine, planSplit } from "../../src/index.js";
import { appearances, openConflicts } from "../support/expectations.js";
import type { SimulatedReplica } from "../support/simulated-replica.js";
import { deliverAll, SimulatedSpace } from "../support/simulated-space.js";

interface Scene {
  readonly space: SimulatedSpace;
  readonly replicas: readonly [SimulatedReplica, SimulatedReplica, SimulatedReplica];
  readonly id: Awaited<ReturnType<SimulatedReplica["remember"]>>;
}

/** Three replicas that know the same memory. */
async function shared(): Promise<Scene & Disposable> {
  const space = new SimulatedSpace();
  const replicas = [space.addReplica(), space.addReplica(), space.addReplica()] as const;
  const id = await replicas[0].remember(space.main, { content: "tea", kind: "fact" });
  deliverAll(space);
  space.tick();
  return { space, replicas, id, [Symbol.dispose]: () => space[Symbol.dispose]() };
}

describe("writes side by side", () => {
  test("[CO30] two replicas that never met merge without hidden entries", async () => {
    using space = new SimulatedSpace();
    const replicas = [space.addReplica(), space.addReplica()];
    const ids = [];
    for (const replica of replicas) {
      for (let count = 0; count < 5; count += 1) {
        ids.push(await replica.remember(space.main, { content: `${count}` }));
      }
    }
    deliverAll(space);
    for (const replica of replicas) {
      expect(Object.keys(await appearances(replica, space.main))).toEqual(ids.toSorted());
    }
  });

  test("[CO31] N writers × M writes give N × M records", async () => {
    using scene = await shared();
    const { space, replicas, id } = scene;
    for (const [writer, replica] of replicas.entries()) {
      for (let count = 0; count < 4; count += 1) {
        await replica.revise(space.main, id, { content: `${writer} ${count}` }).catch(() => undefined);
      }
    }
    deliverAll(space);
    for (const replica of replicas) expect((await replica.memory(space.main, id)).versions).toBe(1 + 3 * 4);
  });

  test("[CO32] a tag written over an open conflict leaves the conflict open", async () => {
    using scene = await shared();
    const { space, replicas, id } = scene;
    const [one, two, three] = replicas;
    await one.revise(space.main, id, { kind: "habit" });
    await two.revise(space.main, id, { kind: "ritual" });
    deliverAll(space);
    await three.revise(space.main, id, { tags: ["hot"] });
    deliverAll(space);
    for (const replica of replicas) {
      const memory = await replica.memory(space.main, id);
      expect(memory.tags).toEqual(["hot"]);
      expect(openConflicts(memory)).toEqual({ kind: ["habit", "ritual"] });
    }
  });

  test("[CO32] the field in conflict itself is not written over: it has to be resolved", async () => {
    using scene = await shared();
    const { space, replicas, id } = scene;
    const [one, two] = replicas;
    await one.revise(space.main, id, { kind: "habit" });
    await two.revise(space.main, id, { kind: "ritual" });
    deliverAll(space);
    await expect(one.revise(space.main, id, { kind: "fact" })).rejects.toMatchObject({
      code: "CONFLICT_OPEN",
    });
    await one.resolve(space.main, id, "kind", "fact");
    deliverAll(space);
    for (const replica of replicas) {
      expect(await replica.memory(space.main, id)).toMatchObject({ kind: "fact", conflicts: [] });
    }
  });

  test("[MG9] two resolutions made offline are a conflict again; equal ones are none", async () => {
    using scene = await shared();
    const { space, replicas, id } = scene;
    const [one, two] = replicas;
    await one.revise(space.main, id, { kind: "habit", area: "home" });
    await two.revise(space.main, id, { kind: "ritual", area: "office" });
    deliverAll(space);
    for (const [replica, kind] of [
      [one, "habit"],
      [two, "ritual"],
    ] as const) {
      await replica.resolve(space.main, id, "kind", kind);
      await replica.resolve(space.main, id, "area", "home");
    }
    deliverAll(space);
    for (const replica of replicas) {
      expect(openConflicts(await replica.memory(space.main, id))).toEqual({ kind: ["habit", "ritual"] });
      expect(await replica.memory(space.main, id)).toMatchObject({ area: "home" });
    }
  });

  test("[CO34] a third tip that wins nothing is listed with the others, and its other fields count", async () => {
    using scene = await shared();
    const { space, replicas, id } = scene;
    for (const [index, replica] of replicas.entries()) {
      await replica.revise(space.main, id, { kind: `kind ${index}`, tags: [`tag ${index}`] });
    }
    deliverAll(space);
    for (const replica of replicas) {
      const memory = await replica.memory(space.main, id);
      expect(openConflicts(memory)).toEqual({ kind: ["kind 0", "kind 1", "kind 2"] });
      expect(memory.tags).toEqual(["tag 0", "tag 1", "tag 2"]);
    }
  });

  test("[CO35] a forget against an edit elsewhere is a conflict and shows the edit", async () => {
    using scene = await shared();
    const { space, replicas, id } = scene;
    await replicas[0].forget(space.main, id);
    await replicas[1].revise(space.main, id, { kind: "habit" });
    deliverAll(space);
    for (const replica of replicas) {
      const memory = await replica.memory(space.main, id);
      expect(memory).toMatchObject({ deleted: false, kind: "habit" });
      expect(openConflicts(memory)).toEqual({ deleted: [false, true] });
    }
  });

  test("[CO36] a forgotten memory is not revised, and not forgotten twice", async () => {
    using scene = await shared();
    const { space, replicas, id } = scene;
    const [one] = replicas;
    await one.forget(space.main, id);
    for (const write of [
      () => one.revise(space.main, id, { kind: "habit" }),
      () => one.forget(space.main, id),
    ]) {
      await expect(write()).rejects.toMatchObject({
        code: "MEMORY_FORGOTTEN",
        hint: expect.stringContaining(id),
      });
    }
  });

  test("[CO37] combining and splitting are one change, hide the sources, and name them", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const replica = space.addReplica();
    const sources = [
      await replica.remember(main, { content: "tea", tags: ["hot"] }),
      await replica.remember(main, { content: "green", tags: ["leaf"] }),
    ];
    const readings = [];
    for (const id of sources) readings.push(await replica.reading(main, id));
    const id = replica.newMemoryId();
    const combined = planCombine(id, readings, { content: "green tea" }, replica.context());
    await replica.commit({ branch: main, type: "combine", writes: combined });
    expect(await replica.memory(main, id)).toMatchObject({
      derivedFrom: sources,
      tags: ["hot", "leaf"],
      type: "combine",
    });
    for (const source of sources) expect(await replica.memory(main, source)).toMatchObject({ deleted: true });

    const pieces = ["green", "tea"].map((content) => ({ id: replica.newMemoryId(), input: { content } }));
    const split = planSplit(await replica.reading(main, id), pieces, replica.context());
    await replica.commit({ branch: main, type: "split", writes: split });
    for (const { id: piece, input } of pieces) {
      expect(await replica.memory(main, piece)).toMatchObject({ ...input, derivedFrom: [id], type: "split" });
    }
    expect(await replica.memory(main, id)).toMatchObject({ deleted: true });
  });

  test("[CO37] a memory is not combined with itself, nor split into one", async () => {
    using scene = await shared();
    const { space, replicas, id } = scene;
    const [one] = replicas;
    const reading = await one.reading(space.main, id);
    const made = one.newMemoryId();
    for (const plan of [
      () => planCombine(made, [reading, reading], { content: "x" }, one.context()),
      () => planCombine(made, [reading], { content: "x" }, one.context()),
      () => planSplit(reading, [{ id: made, input: { content: "x" } }], one.context()),
    ]) {
      expect(plan).toThrow(expect.objectContaining({ code: "BAD_INPUT" }));
    }
  });
});
