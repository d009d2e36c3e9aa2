import { expect, test } from "vitest";
import { converged, World } from "../support/world.js";

test("[BR70] [BR75] a merge of some memories: by label, id or words; previewed, undone, and the rest later", async () => {
  await using world = await World.withRelay(700);
  const a = await world.found("a");
  const { space } = a;
  const owner = space.as({});
  const bot = space.as({ agent: "bot" });
  const on = { branch: "work" };
  const { id: budget } = await owner.remember({ content: "The budget is 50,000 euro", category: "money" });
  await owner.branches.create("work");
  await bot.revise(budget, { content: "The budget is 60,000 euro", category: "plan" }, on);
  const { id: launch } = await bot.remember({ content: "The launch is in May", tags: ["launch"] }, on);
  const { id: tea } = await bot.remember({ content: "Leo drinks green tea" }, on);
  const contents = async () =>
    (await space.list()).memories.map(({ content }) => content.split(" ").at(-2)).sort();

  const merge = (only: object, more: object = {}) => bot.merge({ from: "work", only, ...more });
  const preview = { preview: true };
  const touched = async (only: object) => {
    const { created, changed } = await merge(only, preview);
    return [...created, ...changed].map(({ id }) => id);
  };
  expect(await touched({ category: "money" })).toEqual([budget]); // as it is on the target
  expect(await touched({ tag: "launch" })).toEqual([launch]);
  expect(await touched({ query: "green tea" })).toEqual([tea]);
  expect(await touched({ ids: [launch, tea], tag: ["launch"] })).toEqual([launch]);
  // A name that is not known would otherwise let everything else through.
  await expect(merge({ ids: [launch, tea], tags: ["launch"] })).rejects.toThrow(/no "tags"/);
  await expect(merge({ ids: [tea], not: { tags: ["launch"] } })).rejects.toThrow(/no "tags"/);
  const back = { to: "1 minute ago", only: { tags: ["launch"] } as object, preview: true };
  await expect(owner.rollback(back)).rejects.toThrow(/no "tags"/);
  await expect(merge({})).rejects.toMatchObject({ code: "BAD_INPUT" });
  await expect(merge({ ids: ["ffffffff"] })).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });

  const { change, status } = await merge({ ids: [budget, launch] });
  expect(status).toBe("merged");
  expect(await contents()).toEqual(["60,000", "in"]);
  const info = (await space.branches.list()).find(({ name }) => name === "work");
  expect(info).toMatchObject({ ahead: 3 });
  expect(info?.merged).toBeUndefined();
  const [entry] = (await space.log({ limit: 1 })).changes;
  expect(entry).toMatchObject({ type: "merge", partial: true, memories: [budget, launch].sort() });
  expect((await merge({ ids: [budget] })).status).toBe("up-to-date");
  expect((await bot.merge({ from: "work", ...preview })).created.map(({ id }) => id)).toEqual([tea]);

  await owner.undo({ change: change as string });
  expect(await contents()).toEqual(["50,000"]);
  await expect(bot.merge({ from: "work" })).rejects.toMatchObject({ code: "MERGE_AGAIN_UNDECIDED" });
  await owner.merge({ from: "work", only: { ids: [budget, launch] }, again: true });
  await owner.merge({ from: "work" }); // that was the last word about what was undone
  expect(await contents()).toEqual(["60,000", "green", "in"]);

  const b = await world.join(a, "b");
  await converged(a, b);
  expect((await b.space.list()).memories).toHaveLength(3);
  expect((await b.space.history(budget)).length).toBeGreaterThan(2);
  expect((await b.space.get(budget)).content).toBe("The budget is 60,000 euro");
});
