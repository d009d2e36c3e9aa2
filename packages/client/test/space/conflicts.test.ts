import { describe, expect, test } from "vitest";
import { converged, type Device, meet, part, World } from "../support/world.js";

/** Two devices that hold one memory and are apart. */
async function apart(world: World): Promise<{ readonly a: Device; readonly b: Device; readonly id: string }> {
  const first = await world.found("first");
  const { id } = await first.space
    .as({ agent: "a" })
    .remember({ content: "The boat is red.", tags: ["boat"] });
  const second = await world.join(first, "second");
  await converged(first, second);
  await first.replica.close();
  await second.replica.close();
  const a = await world.reopen(first.home, { connect: false });
  const b = await world.reopen(second.home, { connect: false });
  return { a, b, id };
}

describe("two edits made apart", () => {
  test("[RP20] of one field stay side by side, and everything says so until someone resolves it", async () => {
    await using world = await World.withRelay(100);
    const { a, b, id } = await apart(world);
    await a.space.as({ agent: "ada" }).revise(id, { category: "harbour" });
    await b.space.as({ agent: "bob" }).revise(id, { category: "shipyard" });
    await meet(a, b);

    for (const { space } of [a, b]) {
      const memory = await space.get(id);
      expect(memory.conflicts.map(({ field }) => field)).toEqual(["category"]);
      const values = memory.conflicts[0]?.values ?? [];
      expect(values.map(({ value }) => value).sort()).toEqual(["harbour", "shipyard"]);
      expect(values.map(({ by }) => by.agent).sort()).toEqual(["ada", "bob"]);
      expect((await space.list()).memories[0]?.conflicts).toEqual(memory.conflicts);
      expect((await space.recall("boat"))[0]?.conflicts).toEqual(memory.conflicts);
      expect((await space.status()).conflicts).toBe(1);
      expect((await space.conflicts()).map((conflict) => conflict.id)).toEqual([id]);
    }
    const reply = await a.space.as({ agent: "ada" }).revise(id, { tags: ["boat", "red"] });
    expect(reply.conflicts.map(({ field }) => field)).toEqual(["category"]);
    await expect(a.space.as({ agent: "ada" }).revise(id, { category: "quay" })).rejects.toMatchObject({
      code: "CONFLICT_OPEN",
    });

    const [mine, theirs] = [...(reply.conflicts[0]?.values ?? [])].sort((x, y) =>
      String(x.value) < String(y.value) ? -1 : 1,
    );
    const agent = a.space.as({ agent: "ada" });
    await expect(agent.resolve(id, { keep: mine?.record as string, discard: [] })).rejects.toThrow();
    const resolved = await agent.resolve(id, {
      keep: mine?.record as string,
      discard: [theirs?.record as string],
    });
    expect(resolved).toMatchObject({ category: "harbour", conflicts: [] });
    await converged(a, b);
    expect(await b.space.get(id)).toMatchObject({
      category: "harbour",
      tags: ["boat", "red"],
      conflicts: [],
    });
    expect((await b.space.status()).conflicts).toBe(0);
  });

  test("[RP20] that are equal, or of different fields, are no conflict", async () => {
    await using world = await World.withRelay(101);
    const { a, b, id } = await apart(world);
    await a.space.as({ agent: "ada" }).revise(id, { category: "harbour", importance: 0.5 });
    await b.space
      .as({ agent: "bob" })
      .revise(id, { category: "harbour", confidence: 0.9, tags: ["boat", "new"] });
    await meet(a, b);
    expect(await a.space.get(id)).toMatchObject({
      category: "harbour",
      importance: 0.5,
      confidence: 0.9,
      tags: ["boat", "new"],
      conflicts: [],
    });
  });

  test("[RP20] a delete against an edit shows the edit, in both directions", async () => {
    await using world = await World.withRelay(102);
    const { a, b, id } = await apart(world);
    const other = await a.space.as({ agent: "ada" }).remember({ content: "The mast is tall." });
    await meet(a, b);
    await part(a, b);
    await a.space.as({ agent: "ada" }).forget(id);
    await b.space.as({ agent: "bob" }).revise(id, { content: "The boat is blue." });
    await b.space.as({ agent: "bob" }).forget(other.id);
    await a.space.as({ agent: "ada" }).revise(other.id, { content: "The mast is taller." });
    await meet(a, b);
    const { memories } = await b.space.list();
    expect(memories.map(({ content }) => content).sort()).toEqual([
      "The boat is blue.",
      "The mast is taller.",
    ]);
    expect(memories.every(({ conflicts }) => conflicts.some(({ field }) => field === "deleted"))).toBe(true);
  });

  test("[RP20] two resolutions made apart are a conflict again, unless they are equal", async () => {
    await using world = await World.withRelay(103);
    const { a, b, id } = await apart(world);
    await a.space.as({ agent: "ada" }).revise(id, { category: "harbour" });
    await b.space.as({ agent: "bob" }).revise(id, { category: "shipyard" });
    await meet(a, b);
    await part(a, b);
    const [conflict] = (await a.space.get(id)).conflicts;
    const records = conflict?.values.map(({ record }) => record) ?? [];
    await a.space.as({ agent: "ada" }).resolve(id, { field: "category", value: "quay", discard: records });
    await b.space.as({ agent: "bob" }).resolve(id, { field: "category", value: "dock", discard: records });
    await meet(a, b);
    const [again] = (await b.space.get(id)).conflicts;
    expect(again?.values.map(({ value }) => value).sort()).toEqual(["dock", "quay"]);
  });
});

test("[RP20] a write that expects a version is refused once the memory has moved on", async () => {
  await using world = await World.withRelay(104);
  const first = await world.found("first");
  const { id, record } = await first.space.as({ agent: "a" }).remember({ content: "one" });
  const second = await world.join(first, "second");
  await converged(first, second);
  const moved = await second.space.as({ agent: "b" }).revise(id, { content: "two" }, { expect: record });
  await converged(first, second);
  const stale = first.space.as({ agent: "a" }).revise(id, { content: "three" }, { expect: record });
  await expect(stale).rejects.toMatchObject({ code: "STALE_EXPECTATION", details: { record: moved.record } });
  expect(await first.space.get(id)).toMatchObject({ content: "two", versions: 2 });
  const race = ["x", "y"].map((content) =>
    first.space.as({ agent: content }).revise(id, { content }, { expect: moved.record }),
  );
  const outcomes = await Promise.allSettled(race);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});
