/**
 * What a write gives back is acknowledged with it. So it is what that write left on disk, and never what another one,
 * which may yet be lost, has made of it meanwhile.
 */
import { expect, test } from "vitest";
import { numbered, World } from "../support/world.js";

test("[RP36] a write gives back what it wrote, whoever writes the same memory meanwhile", async () => {
  await using world = new World(350);
  const { space } = await world.found();
  const agent = space.as({ agent: "a" });
  const { id } = await agent.remember({ content: "shared" });
  const contents = numbered(12, "version");
  const revised = await Promise.all(contents.map((content) => agent.revise(id, { content })));
  expect(revised.map(({ content }) => content)).toEqual(contents);
  expect(new Set(revised.map(({ record }) => record)).size).toBe(contents.length);
});

test("[RP36] and gives it back as the history has it, where others write other fields", async () => {
  await using world = new World(351);
  const { space } = await world.found();
  const agent = space.as({ agent: "a" });
  const { id } = await agent.remember({ content: "shared", tags: ["old"] });
  const given = await Promise.all([
    agent.revise(id, { content: "said" }),
    agent.revise(id, { tags: ["new"] }),
    agent.revise(id, { importance: 1 }),
    agent.revise(id, { category: "fact" }),
  ]);
  const [said, tagged, weighed, filed] = given;
  expect([said.content, tagged.tags, weighed.importance, filed.category]).toEqual([
    "said",
    ["new"],
    1,
    "fact",
  ]);
  const versions = new Map((await space.history(id)).map((version) => [version.record, version]));
  expect(versions.size).toBe(5);
  expect(new Set(given.map(({ record }) => record)).size).toBe(4);
  for (const memory of given) {
    const kept = versions.get(memory.record);
    expect([kept?.version, kept?.content, kept?.tags]).toEqual([memory.version, memory.content, memory.tags]);
    expect([kept?.importance, kept?.category]).toEqual([memory.importance, memory.category]);
  }
});
