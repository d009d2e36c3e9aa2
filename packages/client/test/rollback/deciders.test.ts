import type { MemoryId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import type { Agent, Space } from "../../src/api.js";
import { converged, type Device, meet, part, World } from "../support/world.js";

const lastOf = async (space: Space): Promise<string> =>
  (await space.log({ limit: 1 })).changes[0]?.hash ?? "";

/** Both write without knowing of each other, and meet again. */
async function apart(
  a: Device,
  b: Device,
  write: (agent: Agent, device: Device) => Promise<unknown>,
): Promise<readonly [string, string]> {
  await converged(a, b);
  await part(a, b);
  await write(a.space.as({ agent: "ada" }), a);
  await write(b.space.as({ agent: "bob" }), b);
  const changes = [await lastOf(a.space), await lastOf(b.space)] as const;
  await meet(a, b);
  return changes;
}

describe("a value that was decided again since", () => {
  const CHECKED = { content: "Rent is 950." };

  async function checked(world: World) {
    const { space } = await world.found();
    const [bot, ada] = [space.as({ agent: "bot" }), space.as({ agent: "ada" })];
    const { id } = await ada.remember({ content: "Rent is 900." });
    await bot.revise(id, CHECKED);
    const change = await lastOf(space);
    await ada.revise(id, { content: "Rent is 999." });
    await ada.revise(id, CHECKED);
    return { space, bot, ada, id, change };
  }

  test("[GB50] stays when the change that said the same before is undone", async () => {
    await using world = new World(50);
    const { space, ada, id, change } = await checked(world);
    await ada.revise(id, { category: "home" });
    await expect(ada.undo({ change })).rejects.toMatchObject({
      code: "BAD_INPUT",
      details: { kept: [{ id, fields: ["content"] }] },
    });
    expect((await space.get(id)).content).toBe(CHECKED.content);
  });

  test("[GB50] stays when what the agent wrote is rolled back", async () => {
    await using world = new World(51);
    const { space, id } = await checked(world);
    const result = await space.rollback({ only: { agent: "bot" } });
    expect(result).toMatchObject({ status: "up-to-date", kept: [{ id, fields: ["content"] }] });
    expect((await space.get(id)).content).toBe(CHECKED.content);
  });

  test("[GB50] stays forgotten when it was forgotten again by another", async () => {
    await using world = new World(52);
    const { space } = await world.found();
    const [bot, ada] = [space.as({ agent: "bot" }), space.as({ agent: "ada" })];
    const { id } = await ada.remember({ content: "Bo works here." });
    await bot.forget(id);
    const change = await lastOf(space);
    await ada.restore(id);
    await ada.forget(id);
    await expect(ada.undo({ change })).rejects.toMatchObject({
      details: { kept: [{ id, fields: ["deleted"] }] },
    });
    const { status, kept } = await space.rollback({ only: { agent: "bot" } });
    expect({ status, kept }).toEqual({ status: "up-to-date", kept: [{ id, fields: ["deleted"] }] });
    expect((await space.get(id)).deleted).toBe(true);
  });

  test("[GB50] stays when the merge that brought the same is undone", async () => {
    await using world = new World(53);
    const { space } = await world.found();
    const ada = space.as({ agent: "ada" });
    const { id } = await ada.remember({ content: "old" });
    await space.branches.create("side");
    await ada.revise(id, { content: "from the side", category: "side" }, { branch: "side" });
    const { change } = await ada.merge({ from: "side" });
    await ada.revise(id, { content: "elsewhere" });
    await ada.revise(id, { content: "from the side" });
    const { kept } = await ada.undo({ change });
    expect(kept).toEqual([{ id, fields: ["content"] }]);
    const now = await space.get(id);
    expect([now.content, now.category]).toEqual(["from the side", undefined]);
  });

  test("[GB50] what was undone and brought back is the decision it was", async () => {
    await using world = new World(54);
    const { space, ada, id } = await checked(world);
    await ada.undo();
    expect((await space.get(id)).content).toBe("Rent is 999.");
    await ada.undo({ change: await lastOf(space) });
    await ada.undo();
    await ada.undo();
    const { kept, memories } = await ada.undo();
    expect(kept).toEqual([]);
    expect(memories[0]?.content).toBe("Rent is 900.");
  });
});

describe("the same decided by two who did not know of each other", () => {
  const WAYS: Readonly<Record<string, (agent: Agent, id: MemoryId) => Promise<unknown>>> = {
    content: (agent, id) => agent.revise(id, { content: "Budget 60." }),
    tags: (agent, id) => agent.revise(id, { tags: ["money", "new"] }),
    deleted: (agent, id) => agent.forget(id),
  };

  for (const [field, write] of Object.entries(WAYS))
    test(`[GB51] ${field}: stays while one of them stands by it, and goes when both are undone`, async () => {
      await using world = await World.withRelay(55);
      const a = await world.found("a");
      const { id } = await a.space.as({ agent: "eve" }).remember({ content: "Budget 50.", tags: ["money"] });
      const b = await world.join(a, "b");
      const changes = await apart(a, b, (agent) => write(agent, id));
      const both = await a.space.get(id);
      for (const change of changes)
        await expect(a.space.undo({ change })).rejects.toMatchObject({
          details: { kept: [{ id, fields: [field] }] },
        });
      const { status, kept } = await b.space.rollback({ only: { agent: "ada" } });
      expect({ status, kept }).toEqual({ status: "up-to-date", kept: [{ id, fields: [field] }] });
      expect(await a.space.get(id)).toEqual(both);
      await a.space.undo({ last: 2 });
      expect(await a.space.get(id)).toMatchObject({ content: "Budget 50.", tags: ["money"], deleted: false });
    });

  test("[GB51] undone before they met, the other's stands as well", async () => {
    await using world = await World.withRelay(56);
    const a = await world.found("a");
    const { id } = await a.space.as({ agent: "ada" }).remember({ content: "Rent 50." });
    const b = await world.join(a, "b");
    await apart(a, b, async (agent, device) => {
      await agent.revise(id, { content: "Rent 60." });
      if (device === a) await agent.undo();
    });
    expect((await a.space.get(id)).content).toBe("Rent 60.");
  });
});

describe("a memory that others have written on", () => {
  test("[GB52] stays when what its creator wrote is rolled back or undone, and is reported", async () => {
    await using world = new World(57);
    const { space } = await world.found();
    const [bot, ada] = [space.as({ agent: "bot" }), space.as({ agent: "ada" })];
    const { id } = await bot.remember({ content: "The office is on the moon." });
    const change = await lastOf(space);
    await ada.revise(id, { content: "The office is in Berlin." });
    const result = await space.rollback({ only: { agent: "bot" } });
    expect(result).toMatchObject({ status: "up-to-date", kept: [{ id, fields: ["deleted"] }] });
    await expect(ada.undo({ change })).rejects.toMatchObject({ code: "BAD_INPUT" });
    await ada.undo();
    expect((await space.rollback({ only: { agent: "bot" } })).counts.hidden).toBe(1);
  });

  test("[GB52] stays when the combining that made it is undone; what it combined comes back", async () => {
    await using world = new World(58);
    const { space } = await world.found();
    const [bot, ada] = [space.as({ agent: "bot" }), space.as({ agent: "ada" })];
    const one = await ada.remember({ content: "one" });
    const two = await ada.remember({ content: "two" });
    const both = await bot.combine([one.id, two.id], { content: "one and two" });
    const change = await lastOf(space);
    await ada.revise(both.id, { content: "one, then two" });
    const { kept } = await bot.undo({ change });
    expect(kept).toEqual([{ id: both.id, fields: ["deleted"] }]);
    const shown = (await space.list()).memories.map(({ content }) => content);
    expect(shown.toSorted()).toEqual(["one", "one, then two", "two"]);
  });

  test("[GB52] goes when only its creator wrote on it", async () => {
    await using world = new World(59);
    const { space } = await world.found();
    const bot = space.as({ agent: "bot" });
    const { id } = await bot.remember({ content: "draft" });
    const change = await lastOf(space);
    await bot.revise(id, { content: "second draft" });
    await bot.undo({ change });
    expect((await space.get(id)).deleted).toBe(true);
  });
});

describe("a conflict that was settled", () => {
  async function inConflict(world: World) {
    const a = await world.found("a");
    const { id } = await a.space.as({ agent: "eve" }).remember({ content: "base" });
    const b = await world.join(a, "b");
    await apart(a, b, (agent, { home }) => agent.revise(id, { content: `said on ${home.name}` }));
    const [conflict] = (await a.space.get(id)).conflicts;
    const [shown, other] = (conflict?.values ?? []).map(({ record }) => record);
    return { space: a.space, ada: a.space.as({ agent: "ada" }), id, shown, other };
  }

  test("[GB17] is not opened again by an undo or a rollback, and both say so", async () => {
    await using world = await World.withRelay(60);
    const { space, ada, id, shown = "", other = "" } = await inConflict(world);
    const open = `main@heads:${(await space.status()).branch.head.join(",")}`;
    const before = (await space.get(id)).content;
    await ada.resolve(id, { field: "content", keep: other, discard: [shown] });
    const { kept, change } = await ada.undo();
    expect(kept).toEqual([{ id, fields: ["content"] }]);
    expect(await space.get(id)).toMatchObject({ content: before, conflicts: [] });
    expect(await ada.rollback({ to: open })).toMatchObject({
      status: "up-to-date",
      kept: [{ id, fields: ["content"] }],
    });
    await ada.undo({ change });
    expect((await space.get(id)).content).not.toBe(before);
  });

  test("[GB17] to what was shown: the undo is refused, and names the reason", async () => {
    await using world = await World.withRelay(61);
    const { ada, id, shown = "", other = "" } = await inConflict(world);
    await ada.resolve(id, { field: "content", keep: shown, discard: [other] });
    await expect(ada.undo()).rejects.toMatchObject({
      message: expect.stringContaining("it settled a conflict"),
      details: { kept: [{ id, fields: ["content"] }] },
    });
  });
});

describe("a merge", () => {
  test("[GB54] decided for its target is taken back, and asks when it is merged again", async () => {
    await using world = new World(62);
    const { space } = await world.found();
    const ada = space.as({ agent: "ada", confirmed: true });
    const { id } = await ada.remember({ content: "Budget 50." });
    await space.branches.create("side");
    await ada.revise(id, { content: "Budget 60." }, { branch: "side" });
    await ada.revise(id, { content: "Budget 70." });
    const { change } = await ada.merge({ from: "side", strategy: "target" });
    expect(await ada.undo()).toMatchObject({ of: change, kept: [], memories: [{ content: "Budget 70." }] });
    await ada.undo({ change: await lastOf(space) });
    expect(await ada.merge({ from: "side", preview: true })).toMatchObject({ status: "up-to-date" });
    await ada.undo();
    expect(await ada.merge({ from: "side", preview: true })).toMatchObject({ undone: [{}] });
    const again = await ada.merge({ from: "side", again: true, preview: true });
    expect(again.conflicts).toMatchObject([{ id, fields: [{ field: "content" }] }]);
    await ada.merge({ from: "side", again: true, strategy: "source" });
    expect((await space.get(id)).content).toBe("Budget 60.");
    await ada.undo();
    expect((await space.get(id)).content).toBe("Budget 70.");
  });

  test("[GB25] that brought nothing does not stand in the way of undo", async () => {
    await using world = new World(63);
    const { space } = await world.found();
    const ada = space.as({ agent: "ada" });
    await ada.remember({ content: "first" });
    await space.branches.create("side");
    await ada.remember({ content: "second" }, { branch: "side" });
    await ada.merge({ from: "side" });
    await ada.merge({ from: "main", into: "side" });
    const empty = await ada.merge({ from: "side" });
    expect(empty.status).toBe("merged");
    await expect(ada.undo({ change: empty.change })).rejects.toMatchObject({
      message: expect.stringContaining("left nothing"),
    });
    await ada.undo();
    expect((await space.list()).memories.map(({ content }) => content)).toEqual(["first"]);
    await ada.undo();
    expect((await space.list()).memories).toEqual([]);
  });
});
