/** Names of checkpoints as people say them, and how each is found again. */
import { expect, test } from "vitest";
import { World } from "../support/world.js";

const NAMES = ["Feb 17, 2026 state", "Before project cleanup", "a@b: c/d", "정리 전 상태", "It's 5 o'clock"];

test("[CP08] a name in plain words is found by the ref that holds it", async () => {
  await using world = new World(240);
  const { space } = await world.found();
  const agent = space.as({ confirmed: true });
  for (const name of NAMES) {
    await agent.checkpoints.create({ name: `  ${name} ` });
    await agent.remember({ content: name });
  }
  for (const [index, name] of NAMES.entries()) {
    for (const at of [`checkpoint:${name}`, `main@checkpoint:${name}`, `checkpoint:"${name}"`])
      expect((await space.list({ at })).memories).toHaveLength(index);
    expect((await space.checkpoints.get(`main@checkpoint:${name}`)).name).toBe(name);
  }
  expect((await agent.rollback({ to: "checkpoint:정리 전 상태" })).counts.hidden).toBe(2);
});

test("[CP08] several spaces in a name are one, as they are shown", async () => {
  await using world = new World(242);
  const { space } = await world.found();
  const agent = space.as({ confirmed: true });
  expect((await agent.checkpoints.create({ name: "as  it \u3000was" })).name).toBe("as it was");
  await expect(agent.checkpoints.create({ name: "as it   was" })).rejects.toMatchObject({
    code: "CHECKPOINT_EXISTS",
  });
  for (const name of ["as it was", "as  it   was"])
    expect((await space.checkpoints.get(`checkpoint:${name}`)).name).toBe("as it was");
  expect((await agent.checkpoints.delete("as it  was")).state).toBe("deleted");
});

test("[CP09] last is the newest of the branch; a beginning is enough where one name begins so", async () => {
  await using world = new World(241);
  const { space } = await world.found();
  const agent = space.as({ confirmed: true });
  await expect(space.list({ at: "checkpoint:last" })).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
  await agent.remember({ content: "one" });
  await agent.checkpoints.create({ name: "Before lunch" });
  await agent.branches.create("work");
  await agent.remember({ content: "two" });
  await agent.checkpoints.create({ name: "Before dinner" });
  await agent.remember({ content: "three" }, { branch: "work" });
  await agent.checkpoints.create({ name: "At work", branch: "work" });

  expect((await space.list({ at: "checkpoint:last" })).memories).toHaveLength(2);
  expect((await space.list({ at: "checkpoint:last", branch: "work" })).memories).toHaveLength(2);
  expect((await space.checkpoints.get("work@checkpoint:last")).name).toBe("At work");
  expect((await space.checkpoints.get("last")).name).toBe("Before dinner");
  expect((await space.checkpoints.get("before l")).name).toBe("Before lunch");
  await expect(space.checkpoints.get("before")).rejects.toMatchObject({
    code: "AMBIGUOUS_CHECKPOINT",
    hint: "Say which one: checkpoint:Before dinner, checkpoint:Before lunch",
  });
  await agent.remember({ content: "four" });
  await agent.rollback({ to: "checkpoint:before lunch" });
  expect((await space.checkpoints.get("before-rollback")).cause).toBe("rollback");
  for (const text of ["last", "before l"])
    await expect(agent.checkpoints.delete(text)).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
  expect((await agent.checkpoints.delete("checkpoint:Before lunch")).state).toBe("deleted");
});
