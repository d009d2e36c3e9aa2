import { expect, test } from "vitest";
import type { Embedder } from "../../src/api/embedder.js";
import { openReplica } from "../../src/replica/open-replica.js";
import { World } from "../support/world.js";

/** Knows three things, whatever words they are said in. */
const MEANINGS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/boat|ship|sail/i, [1, 0, 0]],
  [/bread|loaf|bake/i, [0, 1, 0]],
  [/./, [0, 0, 1]],
];

function meaningEmbedder(): Embedder & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    model: "three-meanings",
    asked,
    embed: async (texts) => {
      asked.push(...texts);
      return texts.map(
        (text) => new Float32Array(MEANINGS.find(([words]) => words.test(text))?.[1] ?? [0, 0, 1]),
      );
    },
  };
}

test("[VE18] a space finds by meaning what has a vector, also what was remembered after its first recall", async () => {
  await using world = new World(301);
  const home = world.newHome();
  const embedder = meaningEmbedder();
  await using replica = await openReplica({
    ...home,
    clock: world.clock.now,
    random: world.random,
    embedder,
  });
  const space = await replica.createSpace({ name: "shared" });
  const agent = space.as({ agent: "a" });
  await agent.remember({ content: "The ship leaves at noon." });
  await space.recall("boat");
  await space.reindex();
  expect((await space.recall("boat")).map(({ content }) => content)).toContain("The ship leaves at noon.");

  await agent.remember({ content: "A loaf costs four crowns." });
  await space.recall("bake"); // from now on its vector is being made
  const made = Promise.withResolvers<void>();
  space.subscribe(({ type }) => {
    if (type === "index") made.resolve();
  });
  if ((await space.status()).index.vectors?.done !== 2) await made.promise;
  const [best] = await space.recall("bake");
  expect(best).toMatchObject({ content: "A loaf costs four crowns.", matched: [] });
});
