import { describe, expect, test } from "vitest";
import type { BranchId, ChangeHash, MemoryId } from "../../src/index.js";
import type { SimulatedReplica } from "../support/simulated-replica.js";
import { SimulatedSpace } from "../support/simulated-space.js";

interface Scene {
  readonly space: SimulatedSpace;
  readonly main: BranchId;
  readonly work: BranchId;
  readonly replica: SimulatedReplica;
  /** On both sides since before the fork; the source revised it. */
  readonly id: MemoryId;
  /** Made on the source. */
  readonly made: MemoryId;
  readonly undo: ChangeHash;
}

type Direction = "work into main" | "main into work";

/** A merge of one branch into the other, and its undo. */
async function undone(direction: Direction): Promise<Scene & Disposable> {
  const space = new SimulatedSpace();
  const { main } = space;
  const replica = space.addReplica();
  const id = await replica.remember(main, { content: "tea", kind: "fact" });
  const work = replica.fork(main);
  const [source, target] = direction === "work into main" ? [work, main] : [main, work];
  space.tick();
  await replica.revise(source, id, { kind: "habit" });
  const made = await replica.remember(source, { content: "new" });
  space.tick();
  const { change } = await replica.merge(source, target);
  space.tick();
  const { change: undo } = await replica.undo(target, change as ChangeHash);
  space.tick();
  return { space, main, work, replica, id, made, undo, [Symbol.dispose]: () => space[Symbol.dispose]() };
}

describe("an undone merge merged again", () => {
  test("[BR30] is never silently up to date: the preview says when it was merged and undone, and asks", async () => {
    using scene = await undone("work into main");
    const { replica, work, main, undo, id, made, space } = scene;
    const plan = await replica.merge(work, main);
    expect(plan.status).toBe("undecided");
    expect(plan.undone).toEqual([
      expect.objectContaining({ undo, onSource: false, memories: [id, made].sort() }),
    ]);
    expect(plan.undone[0]).toMatchObject({
      mergedAt: space.clock.now - 2_000,
      undoneAt: space.clock.now - 1_000,
    });
  });

  test("[BR13] [BR30] asks also where resolutions name what was taken back", async () => {
    using scene = await undone("work into main");
    const { replica, work, main, id } = scene;
    await replica.revise(main, id, { kind: "rite" });
    const resolutions = { [id]: "source" } as const;
    expect((await replica.merge(work, main, { resolutions })).status).toBe("undecided");
    await expect(replica.merge(work, main, { resolutions, again: false })).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: expect.stringContaining("there is nothing to resolve"),
    });
    expect((await replica.merge(work, main, { resolutions, again: true })).status).toBe("ready");
    expect(await replica.memory(main, id)).toMatchObject({ kind: "habit", conflicts: [] });
  });

  test("[BR31] again: true brings all of it back", async () => {
    using scene = await undone("work into main");
    const { replica, work, main, id, made } = scene;
    const plan = await replica.merge(work, main, { again: true });
    expect(plan.status).toBe("ready");
    expect(plan.created.map((memory) => memory.id)).toEqual([made]);
    expect(plan.changed.map((memory) => memory.id)).toEqual([id]);
    expect(await replica.memory(main, id)).toMatchObject({ kind: "habit" });
    expect(await replica.memory(main, made)).toMatchObject({ deleted: false });
  });

  test("[BR32] again: false brings only what is new", async () => {
    using scene = await undone("work into main");
    const { replica, work, main, id, made } = scene;
    const fresh = await replica.remember(work, { content: "newer" });
    await replica.merge(work, main, { again: false });
    expect(await replica.memory(main, fresh)).toMatchObject({ deleted: false });
    expect(await replica.memory(main, id)).toMatchObject({ kind: "fact" });
    expect(await replica.memory(main, made)).toMatchObject({ deleted: true });
  });

  for (const again of [true, false]) {
    test(`[BR33] after the answer ${again} it is not asked again, in either direction`, async () => {
      using scene = await undone("work into main");
      const { replica, work, main, id } = scene;
      const answered = await replica.merge(work, main, { again });
      expect(answered.status).toBe("ready");
      expect(replica.history(main).get(answered.change as ChangeHash)?.statement).toMatchObject({
        of: [scene.undo],
        again,
      });
      expect((await replica.merge(work, main)).status).toBe("up-to-date");
      expect((await replica.merge(main, work)).status).toBe("ready");
      expect((await replica.merge(work, main)).status).toBe("ready");
      for (const branch of [main, work]) {
        expect(await replica.memory(branch, id)).toMatchObject({ kind: again ? "habit" : "fact" });
      }
    });

    test(`[BR34] the other way round it is asked as well, and the answer ${again} decides`, async () => {
      using scene = await undone("main into work");
      const { replica, work, main, id, made } = scene;
      const asked = await replica.merge(work, main);
      expect(asked.status).toBe("undecided");
      expect(asked.undone).toMatchObject([{ onSource: true }]);
      await replica.merge(work, main, { again });
      expect(await replica.memory(main, id)).toMatchObject({ kind: again ? "habit" : "fact" });
      expect(await replica.memory(main, made)).toMatchObject({ deleted: !again });
      expect((await replica.merge(work, main)).status).toBe("up-to-date");
      expect((await replica.merge(main, work)).status).toBe("ready");
      for (const branch of [main, work]) {
        expect(await replica.memory(branch, id)).toMatchObject({ kind: again ? "habit" : "fact" });
      }
    });
  }

  test("[BR35] an undo that was undone itself asks nothing; undone once more, it asks", async () => {
    using scene = await undone("work into main");
    const { replica, work, main, id, undo } = scene;
    const redo = await replica.undo(main, undo);
    expect(await replica.memory(main, id)).toMatchObject({ kind: "habit" });
    expect((await replica.merge(work, main)).status).toBe("up-to-date");
    await replica.undo(main, redo.change);
    expect(await replica.memory(main, id)).toMatchObject({ kind: "fact" });
    expect((await replica.merge(work, main)).status).toBe("undecided");
    await replica.merge(work, main, { again: true });
    expect(await replica.memory(main, id)).toMatchObject({ kind: "habit" });
  });

  test("[BR36] what was brought back can be undone once more, and is asked about once more", async () => {
    using scene = await undone("work into main");
    const { replica, work, main, id } = scene;
    const { change } = await replica.merge(work, main, { again: true });
    await replica.undo(main, change as ChangeHash);
    expect(await replica.memory(main, id)).toMatchObject({ kind: "fact" });
    expect((await replica.merge(work, main)).status).toBe("undecided");
  });

  test("[BR37] a field the target has written since is put to the strategy, not overwritten", async () => {
    using scene = await undone("work into main");
    const { replica, work, main, id } = scene;
    await replica.revise(main, id, { kind: "ritual" });
    const plan = await replica.merge(work, main, { again: true });
    expect(plan.status).toBe("conflict");
    expect(plan.conflicts).toMatchObject([
      { id, fields: [{ field: "kind", values: [{ value: "ritual" }, { value: "habit" }] }] },
    ]);
    await replica.merge(work, main, { again: true, strategy: "target" });
    expect(await replica.memory(main, id)).toMatchObject({ kind: "ritual" });
  });

  test("[BR38] what the source wrote on after the undo comes with it: all of it, or as a conflict", async () => {
    using scene = await undone("work into main");
    const { replica, work, main, id } = scene;
    await replica.revise(work, id, { kind: "ritual" });
    expect((await replica.preview(work, main)).status).toBe("undecided");
    const onlyNew = await replica.preview(work, main, { again: false });
    expect(onlyNew).toMatchObject({ status: "conflict", conflicts: [{ id, fields: [{ field: "kind" }] }] });
    await replica.merge(work, main, { again: true });
    expect(await replica.memory(main, id)).toMatchObject({ kind: "ritual", conflicts: [] });
  });
});
