import { describe, expect, test } from "vitest";
import type { BranchId, MemoryId, MergeStrategy } from "../../src/index.js";
import { openConflicts, outline } from "../support/expectations.js";
import type { SimulatedReplica } from "../support/simulated-replica.js";
import { deliverAll, deliverChanges, deliverRecords, SimulatedSpace } from "../support/simulated-space.js";

interface Scene {
  readonly space: SimulatedSpace;
  readonly main: BranchId;
  readonly work: BranchId;
  readonly replica: SimulatedReplica;
  readonly id: MemoryId;
}

/** One memory, on main and on a branch that was just forked from it. */
async function forked(content = "tea"): Promise<Scene & Disposable> {
  const space = new SimulatedSpace();
  const replica = space.addReplica();
  const id = await replica.remember(space.main, { content, kind: "fact" });
  space.tick();
  const work = replica.fork(space.main);
  space.tick();
  return { space, main: space.main, work, replica, id, [Symbol.dispose]: () => space[Symbol.dispose]() };
}

/** Both sides then say something else. */
async function diverged(): Promise<Scene & Disposable> {
  const scene = await forked();
  await scene.replica.revise(scene.main, scene.id, { kind: "preference" });
  scene.space.tick();
  await scene.replica.revise(scene.work, scene.id, { kind: "habit" });
  scene.space.tick();
  return scene;
}

describe("merging a branch", () => {
  test("[BR1] brings what was created, changed and deleted there, and lists it", async () => {
    using scene = await forked();
    const { replica, work, main, id, space } = scene;
    const gone = await replica.remember(main, { content: "to be forgotten" });
    await replica.merge(main, work);
    space.tick();
    const made = await replica.remember(work, { content: "new" });
    await replica.revise(work, id, { tags: ["hot"] });
    await replica.forget(work, gone);
    const plan = await replica.merge(work, main);
    expect(plan.status).toBe("ready");
    expect(outline(plan)).toEqual({
      created: [made],
      changed: { [id]: ["tags"] },
      deleted: [gone],
      conflicts: [],
    });
    expect(await replica.memory(main, made)).toMatchObject({ content: "new" });
    expect(await replica.memory(main, id)).toMatchObject({ tags: ["hot"] });
    expect(await replica.memory(main, gone)).toMatchObject({ deleted: true });
  });

  test("[BR2] is exactly one change, which names the source and its heads, also when nothing was left to resolve", async () => {
    using scene = await forked();
    const { replica, work, main, id } = scene;
    await replica.revise(work, id, { tags: ["hot"] });
    const { heads } = replica.history(work);
    const before = replica.history(main).size;
    const { change, writes } = await replica.merge(work, main);
    expect(writes).toEqual([]);
    const history = replica.history(main);
    expect(history.size).toBe(before + 2);
    expect(history.get(change as never)?.statement).toEqual({
      type: "merge",
      memories: [],
      from: work,
      heads,
    });
  });

  test("[BR3] merging again is up to date", async () => {
    using scene = await diverged();
    const { replica, work, main } = scene;
    await replica.merge(work, main, { strategy: "newest" });
    const { heads } = replica.history(main);
    const again = await replica.merge(work, main, { strategy: "newest" });
    expect(again).toMatchObject({ status: "up-to-date", writes: [], created: [], changed: [], deleted: [] });
    expect(replica.history(main).heads).toEqual(heads);
  });

  test("[BR4] different fields merge, equal edits are no conflict, and the source is left alone", async () => {
    using scene = await forked("- the cat sat\n- on the mat");
    const { replica, work, main, id } = scene;
    await replica.revise(main, id, { content: "- the cat sat\n- on the sofa", importance: 0.5 });
    await replica.revise(work, id, { content: "- the dog sat\n- on the mat", importance: 0.5, area: "home" });
    const before = await replica.memory(work, id);
    expect((await replica.merge(work, main)).status).toBe("ready");
    expect(await replica.memory(main, id)).toMatchObject({
      content: "- the dog sat\n- on the sofa",
      importance: 0.5,
      area: "home",
      conflicts: [],
    });
    expect(await replica.memory(work, id)).toEqual(before);
  });

  test("[BR5] manual writes nothing while a conflict is open, and shows base and every value", async () => {
    using scene = await diverged();
    const { replica, work, main, id } = scene;
    const { heads } = replica.history(main);
    const plan = await replica.merge(work, main, { strategy: "manual" });
    expect(plan.status).toBe("conflict");
    expect(plan.conflicts).toMatchObject([
      {
        id,
        fields: [{ field: "kind", base: "fact", values: [{ value: "habit" }, { value: "preference" }] }],
      },
    ]);
    expect(plan.writes).toEqual([]);
    expect(replica.history(main).heads).toEqual(heads);
  });

  const decided: Record<Exclude<MergeStrategy, "manual" | "both" | "resolver">, string> = {
    source: "habit",
    target: "preference",
    newest: "habit",
  };
  for (const [strategy, kind] of Object.entries(decided)) {
    test(`[BR6] ${strategy} decides each field in conflict, and nothing else`, async () => {
      using scene = await diverged();
      const { replica, work, main, id } = scene;
      await replica.revise(main, id, { area: "home" });
      await replica.revise(work, id, { tags: ["hot"] });
      await replica.merge(work, main, { strategy: strategy as MergeStrategy });
      expect(await replica.memory(main, id)).toMatchObject({
        kind,
        area: "home",
        tags: ["hot"],
        conflicts: [],
      });
    });

    test(`[BR6] ${strategy} can be asked for one memory only`, async () => {
      using scene = await diverged();
      const { replica, work, main, id } = scene;
      const resolutions = { [id]: strategy as "source" | "target" | "newest" };
      await replica.merge(work, main, { strategy: "manual", resolutions });
      expect(await replica.memory(main, id)).toMatchObject({ kind, conflicts: [] });
    });
  }

  test("[BR6] a memory's fields can be decided one by one: a side, or a new value", async () => {
    using scene = await diverged();
    const { replica, work, main, id } = scene;
    await replica.revise(main, id, { area: "home" });
    await replica.revise(work, id, { area: "office" });
    const half = await replica.merge(work, main, { resolutions: { [id]: { kind: { value: "ritual" } } } });
    expect(half.status).toBe("conflict");
    expect(half.conflicts).toMatchObject([{ id, fields: [{ field: "area" }] }]);
    await replica.merge(work, main, {
      resolutions: { [id]: { kind: { value: "ritual" }, area: { take: "source" } } },
    });
    expect(await replica.memory(main, id)).toMatchObject({ kind: "ritual", area: "office", conflicts: [] });
  });

  test("[BR7] both keeps the target's side and makes a second memory of the source's", async () => {
    using scene = await diverged();
    const { replica, work, main, id } = scene;
    const copy = replica.newMemoryId();
    const plan = await replica.merge(work, main, { strategy: "both", newMemoryId: () => copy });
    expect(outline(plan)).toMatchObject({ created: [copy], conflicts: [] });
    expect(await replica.memory(main, id)).toMatchObject({ kind: "preference", conflicts: [] });
    expect(await replica.memory(main, copy)).toMatchObject({
      kind: "habit",
      content: "tea",
      derivedFrom: [id],
    });
  });

  test("[BR7] both makes no second memory of what the source had forgotten", async () => {
    using scene = await forked();
    const { replica, work, main, id } = scene;
    await replica.forget(work, id);
    await replica.revise(main, id, { kind: "preference" });
    const plan = await replica.merge(work, main, { strategy: "both" });
    expect(plan.created).toEqual([]);
    expect(await replica.memory(main, id)).toMatchObject({
      kind: "preference",
      deleted: false,
      conflicts: [],
    });
  });

  test("[BR8] a resolver is asked about each memory in conflict, with both sides", async () => {
    using scene = await diverged();
    const { replica, work, main, id } = scene;
    const asked: unknown[] = [];
    await replica.merge(work, main, {
      strategy: "resolver",
      resolver: async (conflict) => {
        asked.push(conflict);
        return { kind: { value: `${conflict.target?.kind} and ${conflict.source.kind}` } };
      },
    });
    expect(asked).toMatchObject([{ id, fields: [{ field: "kind", base: "fact" }] }]);
    expect(await replica.memory(main, id)).toMatchObject({ kind: "preference and habit", conflicts: [] });
  });

  for (const [forgetting, editing] of [
    ["work", "main"],
    ["main", "work"],
  ] as const) {
    test(`[BR9] a delete on ${forgetting} against an edit on ${editing} is a conflict and shows the edit`, async () => {
      using scene = await forked();
      const { replica, work, main, id } = scene;
      const branches = { work, main };
      await replica.forget(branches[forgetting], id);
      await replica.revise(branches[editing], id, { kind: "habit" });
      const plan = await replica.preview(work, main);
      expect(plan.status).toBe("conflict");
      expect(plan.conflicts).toMatchObject([{ id, fields: [{ field: "deleted" }] }]);
      const strategy = forgetting === "work" ? "source" : "target";
      await replica.merge(work, main, { strategy });
      expect(await replica.memory(main, id)).toMatchObject({ deleted: true, conflicts: [] });
    });

    test(`[BR9] a delete on ${forgetting} against an edit on ${editing}: the edit can be kept`, async () => {
      using scene = await forked();
      const { replica, work, main, id } = scene;
      const branches = { work, main };
      await replica.forget(branches[forgetting], id);
      await replica.revise(branches[editing], id, { kind: "habit" });
      await replica.merge(work, main, { strategy: editing === "work" ? "source" : "target" });
      expect(await replica.memory(main, id)).toMatchObject({ kind: "habit", deleted: false, conflicts: [] });
    });
  }

  test("[BR10] criss-cross: the clean merge of two bases is the base; one word changed twice is a conflict, decided once", async () => {
    using scene = await forked("one; two; three; four");
    const { replica, work, main, id } = scene;
    await replica.revise(main, id, { content: "ONE; two; three; four" });
    await replica.revise(work, id, { content: "one; two; three; FOUR" });
    const { heads } = replica.history(main);
    await replica.merge(work, main);
    // The other way from before that merge, as a replica does that has not seen it.
    await replica.merge(replica.fork(main, heads), work);
    for (const branch of [main, work]) {
      expect(await replica.memory(branch, id)).toMatchObject({
        content: "ONE; two; three; FOUR",
        conflicts: [],
      });
    }
    await replica.revise(main, id, { content: "ONE; TWO; three; FOUR", area: "home" });
    await replica.revise(work, id, { content: "ONE; Two; THREE; FOUR", tags: ["hot"] });
    const [plan] = (await replica.merge(work, main)).conflicts;
    expect(plan?.fields).toMatchObject([{ field: "content", base: "ONE; two; three; FOUR" }]);
    const decided = { content: "ONE; TWO; THREE; FOUR", area: "home", tags: ["hot"], conflicts: [] };
    await replica.merge(work, main, { resolutions: { [id]: { content: { value: decided.content } } } });
    await replica.merge(main, work);
    for (const branch of [main, work]) expect(await replica.memory(branch, id)).toMatchObject(decided);
    expect((await replica.merge(work, main)).status).toBe("ready");
    expect((await replica.merge(work, main)).status).toBe("up-to-date");
  });

  test("[BR11] a conflict that was open on the target already is not the merge's business, and stays open", async () => {
    using scene = await forked();
    const { replica, work, main, id, space } = scene;
    const other = space.addReplica();
    deliverAll(space);
    await replica.revise(main, id, { kind: "preference" });
    await other.revise(main, id, { kind: "habit" });
    deliverAll(space);
    await replica.revise(work, id, { tags: ["hot"] });
    const plan = await replica.merge(work, main);
    expect(plan.status).toBe("ready");
    expect(openConflicts(await replica.memory(main, id))).toEqual({ kind: ["habit", "preference"] });
    expect(await replica.memory(main, id)).toMatchObject({ tags: ["hot"] });
  });

  test("[BR12] memories that have not arrived whole are CONTENT_NOT_HERE, with a count", async () => {
    using scene = await forked();
    const { replica, work, main, id, space } = scene;
    const late = space.addReplica();
    deliverAll(space);
    await replica.revise(work, id, { tags: ["hot"] });
    await replica.remember(work, { content: "new" });
    deliverChanges(replica, late);
    const refused = { code: "CONTENT_NOT_HERE", details: { count: 2 } };
    await expect(late.preview(work, main)).rejects.toMatchObject(refused);
    await expect(late.merge(work, main, { strategy: "source" })).rejects.toMatchObject(refused);
    deliverRecords(replica, late);
    expect((await late.merge(work, main)).status).toBe("ready");
  });

  test("[BR13] resolutions of memories that the merge does not touch are refused", async () => {
    using scene = await diverged();
    const { replica, work, main } = scene;
    const other = await replica.remember(main, { content: "apart" });
    await expect(replica.merge(work, main, { resolutions: { [other]: "source" } })).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: expect.stringContaining(other),
    });
  });
});
