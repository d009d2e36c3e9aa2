/** Reads and writes in the midst of which the index is thrown away, as an erasure that arrives does. */
import type { MemoryId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import type { Space } from "../../src/api.js";
import { World } from "../support/world.js";

/** Some steps of each of them. */
const HOPS = 24;

const READS: readonly (readonly [string, (space: Space, id: MemoryId) => Promise<unknown>])[] = [
  ["get", (space, id) => space.get(id)],
  ["list", (space) => space.list({ category: "drinks" })],
  ["recall", (space) => space.recall("tea", { priors: false })],
  ["history", (space, id) => space.history(id)],
  ["log", (space) => space.log()],
  ["diff", (space) => space.diff("draft", "main")],
  ["status", async (space) => (await space.status()).branch],
];

async function lived(world: World) {
  const { space } = await world.found();
  const agent = space.as({ agent: "ada" });
  const { id } = await agent.remember({ content: "Ada drinks tea.", category: "drinks" });
  await space.branches.create("draft");
  for (let count = 0; count < 5; count += 1)
    await agent.remember({ content: `Tea number ${count}.`, category: "drinks" });
  await agent.revise(id, { content: "Ada drinks green tea." });
  return { space, agent, id };
}

/** Throws the index away after so many steps of what is under way. */
async function thrownAwayAfter(hops: number, space: Space): Promise<void> {
  for (let hop = 0; hop < hops; hop += 1) await undefined;
  await space.reindex();
}

describe("[IX17] while the index is thrown away and made again", () => {
  test("whoever reads gets the answer as ever", async () => {
    await using world = new World(2501);
    const { space, id } = await lived(world);
    const asked = (): Promise<readonly unknown[]> => Promise.all(READS.map(([, read]) => read(space, id)));
    const names = READS.map(([name]) => name);
    const expected = await asked();
    for (let hops = 0; hops < HOPS; hops += 1) {
      const [answers] = await Promise.all([asked(), thrownAwayAfter(hops, space)]);
      expect([hops, names, answers]).toEqual([hops, names, expected]);
    }
  });

  test("what is written is planned anew", async () => {
    await using world = new World(2502);
    const { space, agent, id } = await lived(world);
    for (let hops = 0; hops < HOPS; hops += 1) {
      const content = `Ada drinks tea number ${hops}.`;
      await Promise.all([agent.revise(id, { content }), thrownAwayAfter(hops, space)]);
      expect((await space.get(id)).content).toBe(content);
    }
    expect((await space.get(id)).conflicts).toEqual([]);
  });

  test("its file is verified without finding damage", async () => {
    await using world = new World(2503);
    const { space } = await lived(world);
    await Promise.all([space.verify(), thrownAwayAfter(0, space)]);
    for (let hops = 0; hops < HOPS; hops += 1) {
      const [found] = await Promise.all([space.verify(), thrownAwayAfter(hops, space)]);
      expect(found).toMatchObject({ ok: true, damaged: [] });
    }
  });
});
