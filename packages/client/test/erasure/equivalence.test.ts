import { join } from "node:path";
import { expect, test } from "vitest";
import type { Summarizer } from "../../src/api/summarizer.js";
import { VectorStore } from "../../src/models/vector-store.js";
import { letters } from "../support/letters.js";
import { answers, lifeOf, live } from "../support/lives.js";
import { type Device, World } from "../support/world.js";

test("[ER27] what can be asked of a space that erased something is what can be asked of one that never had it", async () => {
  for (const seed of [1, 2, 3]) {
    await using world = new World(seed);
    const [one, other] = [await world.found("one"), await world.found("other")];
    const steps = lifeOf(seed, 16);
    const erased = await live(one.space, steps, true);
    await live(other.space, steps, false);
    if (erased !== undefined) await one.space.as({ confirmed: true }).erase({ ids: [erased] });
    expect(await answers(one.space, erased)).toEqual(await answers(other.space, undefined));
  }
});

const summarizer: Summarizer = {
  model: "quoting",
  summarize: async ({ before, after, type }) => `${type}: ${before.content} became ${after.content}`,
};

/** How many there are, of texts that nobody can find any more as well. */
function vectorsIn({ home, space }: Device): number {
  using store = new VectorStore({ path: join(home.dir, "spaces", space.id, "vectors.sqlite") });
  return store.count(letters.model);
}

test("[ER27] [ER29] so it is where models have written sentences and made vectors, also after a restart", async () => {
  for (const seed of [4, 5]) {
    await using world = new World(seed);
    const models = { embedder: letters, summarizer };
    const steps = lifeOf(seed, 14);
    const [one, other] = [await world.found("one", models), await world.found("other", models)];
    const erased = await live(one.space, steps, true);
    await live(other.space, steps, false);
    for (const { space } of [one, other]) {
      await answers(space, undefined); // asks for sentences
      await space.reindex();
      await space.summariesMade();
    }
    if (erased !== undefined) await one.space.as({ confirmed: true }).erase({ ids: [erased] });
    expect(await answers(one.space, erased)).toEqual(await answers(other.space, undefined));
    expect(await one.space.traces(["secret"])).toEqual([]);
    await one.replica.close();
    const kept = vectorsIn(one);
    const again = await world.reopen(one.home, models);
    await again.space.reindex();
    expect(await answers(again.space, erased)).toEqual(await answers(other.space, undefined));
    await other.replica.close();
    expect(kept).toBe(vectorsIn(other));
  }
});
