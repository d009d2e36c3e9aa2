/** What a preview of a rollback says besides what it would change. */
import { expect, test } from "vitest";
import { World } from "../support/world.js";

test("[GB62] a preview says how many changes it undoes, since when, and what others link to", async () => {
  await using world = new World(62);
  const { space } = await world.found();
  const agent = space.as({ confirmed: true });
  const kept = await agent.remember({ content: "The launch is in May." });
  const { at } = await agent.checkpoints.create({ name: "Start" });
  const plan = await agent.remember({ content: "The launch plan has three steps.", category: "plan" });
  await agent.revise(plan.id, { content: "The launch plan has four steps." });
  const to = "checkpoint:Start";
  expect((await agent.rollback({ to, preview: true })).undoes).toEqual({ changes: 2, since: at });
  expect((await agent.rollback({ to, preview: true })).linked).toBeUndefined();

  await agent.revise(kept.id, { links: [{ rel: "see", to: plan.id }] });
  const part = await agent.rollback({ to, only: { category: "plan" }, preview: true });
  expect(part.undoes).toEqual({ changes: 2, since: at });
  expect(part.linked).toEqual([{ id: plan.id, from: [kept.id] }]);
  const whole = await agent.rollback({ to, preview: true });
  expect(whole.undoes?.changes).toBe(3);
  expect((await agent.rollback({ to: "main@2020-01-01", preview: true })).undoes?.changes).toBe(4);
});

test("[GB63] a rollback by topic touches what ever spoke of it, and shows that first", async () => {
  await using world = new World(63);
  const { space } = await world.found();
  const agent = space.as({ confirmed: true });
  const before = await agent.remember({ content: "Falcon ships in May." });
  await agent.checkpoints.create({ name: "Start" });
  const other = await agent.remember({ content: "The rent is 900 euro." });
  await agent.revise(before.id, { content: "It ships in June." });
  const made = await agent.remember({ content: "Falcon has two engines." });

  const only = { query: "Falcon" };
  const preview = await agent.rollback({ to: "checkpoint:Start", only, preview: true });
  expect(preview.matched?.map(({ id }) => id).toSorted()).toEqual([before.id, made.id].toSorted());
  expect(preview.counts).toMatchObject({ changed: 1, hidden: 1 });
  await agent.rollback({ to: "checkpoint:Start", only });
  expect((await space.list()).memories.map(({ id }) => id).toSorted()).toEqual(
    [before.id, other.id].toSorted(),
  );
  await agent.undo();
  const byTime = await agent.rollback({ only: { query: "rent", since: 0 }, preview: true });
  expect(byTime).toMatchObject({ counts: { hidden: 1 }, undoes: { changes: 1 } });
});
