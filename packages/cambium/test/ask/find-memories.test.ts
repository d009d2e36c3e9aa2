/** Which memories a topic means. */
import { openReplica } from "@cambium/client";
import { expect, test } from "vitest";
import { World } from "../../../client/test/support/world.js";
import { findMemories } from "../../src/ask/find-memories.js";

test("[AS23] [AS65] a topic means the memories with the most of its words, at least half of them, and those that say the same", async () => {
  await using world = new World(901);
  const { dir, stateDir } = world.newHome("desk");
  await using replica = await openReplica({ dir, stateDir, clock: world.clock.now, random: world.random });
  const space = await replica.createSpace({ name: "notes" });
  const agent = space.as({ agent: "cli" });
  const written = [
    "The travel budget is 900 euro.",
    "the travel budget is 900 euro",
    "The budget is tight.",
    "Ada likes to travel.",
  ];
  for (const content of written) await agent.remember({ content });
  const found = async (topic: string): Promise<readonly string[]> =>
    (await findMemories(space, topic, {})).map(({ content }) => content).toSorted();
  expect(await found("the travel budget")).toEqual([
    "The travel budget is 900 euro.",
    "the travel budget is 900 euro",
  ]);
  expect(await found("the budget of March")).toHaveLength(3);
  expect(await found("the budget of the harbour office")).toEqual([]);
  const sure = async (topic: string): Promise<number> =>
    (await findMemories(space, topic, { isSure: true })).length;
  // What half of the words find may be looked at, and is not hidden.
  expect([await sure("the budget of March"), await sure("the travel budget")]).toEqual([0, 2]);
});
