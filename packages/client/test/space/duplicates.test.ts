import { fingerprintOf, similarityOf } from "@cambium/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { replicaHere } from "../support/replica-here.js";

const similarity = (a: string, b: string): number =>
  similarityOf(fingerprintOf(a).shingles, fingerprintOf(b).shingles);

test("[LA1] duplicates are those that share enough neighbouring words, most similar first, as the branch shows them", async () => {
  await using here = await replicaHere();
  const space = await here.replica.createSpace({ name: "notes" });
  const agent = space.as({ agent: "ada" });
  const { id } = await agent.remember({ content: "Releases are cut on Thursdays" });
  await agent.remember({ content: "Releases are cut on Fridays" });
  await agent.remember({ content: "Tea is made in the morning" });
  const contents = async (...args: Parameters<typeof space.alike>): Promise<readonly string[]> =>
    (await space.alike(...args)).map(({ content }) => content);

  expect(await contents("releases are CUT on Thursdays!")).toEqual([
    "Releases are cut on Thursdays",
    "Releases are cut on Fridays",
  ]);
  expect((await space.alike("Releases are cut on Thursdays"))[0]?.similarity).toBe(1);
  expect(await contents({ id })).toEqual(["Releases are cut on Fridays"]);
  expect(await contents("releases are cut on Thursdays", { limit: 1 })).toHaveLength(1);
  expect(await contents("releases are cut on Thursdays", { threshold: 0.9 })).toHaveLength(1);

  await space.branches.create("trial");
  await agent.revise(id, { content: "Something else altogether" }, { branch: "trial" });
  expect(await contents("Releases are cut on Thursdays", { branch: "trial", threshold: 0.9 })).toEqual([]);
  expect(await contents("Releases are cut on Thursdays", { threshold: 0.9 })).toHaveLength(1);
  await agent.forget(id);
  expect(await contents("Releases are cut on Thursdays", { threshold: 0.9 })).toEqual([]);
  await expect(space.alike("x", { threshold: 0 })).rejects.toMatchObject({ code: "BAD_INPUT" });
  await expect(space.alike({ id: "0000" })).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });
});

const WORDS = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "hazel", "iris", "jade"];
const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 10 })
  .map((words) => words.join(" "));

test("[LA2] among few memories none that is similar enough is overlooked", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sentence, { minLength: 1, maxLength: 12 }), sentence, async (texts, asked) => {
      await using here = await replicaHere();
      const space = await here.replica.createSpace({ name: "notes" });
      const agent = space.as({ agent: "ada" });
      for (const content of texts) await agent.remember({ content });
      const found = await space.alike(asked, { limit: 100 });
      const expected = texts.filter((text) => similarity(text, asked) >= 0.5);
      expect(found.map(({ content }) => content).toSorted()).toEqual(expected.toSorted());
      for (const one of found) expect(one.similarity).toBe(similarity(one.content, asked));
    }),
    { numRuns: 15 },
  );
});
