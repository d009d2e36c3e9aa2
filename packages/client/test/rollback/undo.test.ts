import { describe, expect, test } from "vitest";
import { contentsOf, World } from "../support/world.js";

async function four(world: World) {
  const device = await world.found();
  const agent = device.space.as({ agent: "ada" });
  const { id } = await agent.remember({ content: "one" });
  for (const content of ["two", "three", "four"]) await agent.revise(id, { content });
  return { device, space: device.space, agent, id };
}

describe("undo", () => {
  test("[GB20] the last changes are taken back as one, and come back as one", async () => {
    await using world = new World(20);
    const { space, agent, id } = await four(world);
    await agent.remember({ content: "another" });
    const { changes, change } = await agent.undo({ last: 3 });
    expect(changes).toHaveLength(3);
    expect((await space.list()).memories.map(({ content }) => content)).toEqual(["two"]);
    expect((await space.log({ limit: 1 })).changes[0]).toMatchObject({
      type: "undo",
      hash: change,
      of: changes,
    });
    await agent.undo({ change });
    expect((await space.get(id)).content).toBe("four");
    expect((await space.list()).memories).toHaveLength(2);
  });

  test("[GB20] one of the last changes set the text that was there", async () => {
    await using world = new World(27);
    const { space } = await world.found();
    const agent = space.as({ agent: "ada" });
    const { id } = await agent.remember({ content: "one" });
    await agent.revise(id, { content: "two" });
    await agent.revise(id, { content: "two", tags: ["again"] });
    await agent.revise(id, { content: "three" });
    const { kept, memories } = await agent.undo({ last: 3 });
    expect(kept).toEqual([]);
    expect(memories).toMatchObject([{ content: "one", tags: [] }]);
  });

  test("[GB21] pressed again and again it goes further back; a write after an undone undo is the last again", async () => {
    await using world = new World(21);
    const { space, agent, id } = await four(world);
    const contents: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      await agent.undo();
      contents.push((await space.get(id)).content);
    }
    expect(contents).toEqual(["three", "two", "one"]);
    await agent.undo();
    expect((await space.list()).memories).toEqual([]);
    await expect(agent.undo()).rejects.toMatchObject({ code: "BAD_INPUT" });
    const [last] = (await space.log({ limit: 1 })).changes;
    await agent.undo({ change: last?.hash });
    expect((await space.get(id)).content).toBe("one");
    await agent.undo();
    expect((await space.list()).memories).toEqual([]);
  });

  test("[GB22] a change in the middle: what was written since stays and is reported", async () => {
    await using world = new World(22);
    const { space, agent, id } = await four(world);
    await agent.revise(id, { category: "numbers" });
    const { changes } = await space.log();
    const categorised = await agent.undo({ change: changes[0]?.hash });
    expect(categorised.memories[0]).toMatchObject({ content: "four" });
    expect(categorised.memories[0]?.category).toBeUndefined();
    const middle = changes[2]?.hash;
    await expect(agent.undo({ change: middle })).rejects.toMatchObject({
      code: "BAD_INPUT",
      details: { kept: [{ id, fields: ["content"] }] },
    });
  });

  test("[GB23] a merge is taken back after more writes, also among the last changes", async () => {
    await using world = new World(23);
    const { device, space, agent, id } = await four(world);
    await space.branches.create("side");
    await agent.remember({ content: "beside" }, { branch: "side" });
    await agent.revise(id, { category: "merged" }, { branch: "side" });
    const { change } = await space.merge({ from: "side" });
    await agent.remember({ content: "after" });
    const before = await contentsOf(device);
    const alone = await agent.undo({ change });
    expect((await contentsOf(device)).toSorted()).toEqual(["after", "four"]);
    await agent.undo({ change: alone.change });
    expect(await contentsOf(device)).toEqual(before);
    const both = await agent.undo({ last: 2 });
    expect(both.changes[1]).toBe(change);
    expect(await contentsOf(device)).toEqual(["four"]);
    expect((await space.get(id)).category).toBeUndefined();
    expect((await space.merge({ from: "side", preview: true })).undone).toHaveLength(1);
  });

  test("[GB24] what names no change of the branch, or no number of them, is refused", async () => {
    await using world = new World(24);
    const { space, agent } = await four(world);
    await space.branches.create("side");
    const [change] = (await space.log({ limit: 1 })).changes;
    for (const name of ["0".repeat(12), "f00", "nonsense"])
      await expect(agent.undo({ change: name })).rejects.toMatchObject({ code: "HEADS_NOT_HERE" });
    await expect(agent.undo({ change: change?.hash, branch: "side" })).rejects.toMatchObject({
      code: "HEADS_NOT_HERE",
    });
    for (const last of [0, -1, 1.5, 1_001])
      await expect(agent.undo({ last })).rejects.toMatchObject({ code: "BAD_INPUT" });
    await expect(agent.undo({ change: change?.hash, last: 2 })).rejects.toMatchObject({ code: "BAD_INPUT" });
  });
});
