/** Revisions that say what is there already. */
import { expect, test } from "vitest";
import { World } from "../support/world.js";

test("[CO38] a revision that sets what is shown writes no version, and says so", async () => {
  await using world = new World(260);
  const { space } = await world.found();
  const agent = space.as({ agent: "ada" });
  const source = { kind: "file", path: "a.md" } as const;
  const made = await agent.remember({ content: "tea", tags: ["b", "a"], source, reason: "said so" });
  const { id, record } = made;
  const { head } = (await space.status()).branch;
  const same = [
    { content: "tea" },
    { content: "tea", tags: ["a", "b"], type: "correct", reason: "once more" },
    { content: "tea", source },
    { category: null, links: [] },
  ] as const;
  for (const input of same) {
    const again = await agent.revise(id, input, { expect: record });
    expect(again).toEqual({ ...(await space.get(id)), unchanged: true });
  }
  expect((await space.status()).branch.head).toEqual(head);
  expect(await space.history(id)).toHaveLength(1);

  await expect(agent.revise(id, { content: "tea" }, { expect: "0000000000" })).rejects.toMatchObject({
    code: "STALE_EXPECTATION",
  });
  const other = await agent.revise(id, { content: "tea", source: { kind: "file", path: "b.md" } });
  expect([other.version, other.unchanged]).toEqual([2, undefined]);
  expect((await agent.revise(id, { content: "tea", tags: ["a"] })).version).toBe(3);
  await agent.forget(id);
  await expect(agent.revise(id, { content: "tea" })).rejects.toMatchObject({ code: "MEMORY_FORGOTTEN" });
});
