import { expect, test } from "vitest";
import type { Summarizer } from "../../src/api/summarizer.js";
import { openReplica } from "../../src/replica/open-replica.js";
import { letters } from "../support/letters.js";
import { World } from "../support/world.js";

const SECRET = "The door code of the Zwyvernhof is 4711-Quixamber";

test("[ER29] stores made of files lose it as well, and so do vectors, also when no model is named any more", async () => {
  await using world = new World(1);
  const home = world.newHome("files");
  const options = { ...home, storage: "fs", clock: world.clock.now } as const;
  let id = "";
  {
    await using replica = await openReplica({ ...options, embedder: letters });
    const space = await replica.createSpace({ name: "home" });
    const ada = space.as({ agent: "ada" });
    ({ id } = await ada.remember({ content: SECRET }));
    await ada.remember({ content: "Ada drinks tea at four" });
    await space.reindex();
    expect((await space.status()).index.vectors).toMatchObject({ done: 2, total: 2 });
  }
  await using replica = await openReplica({ ...options });
  const space = await replica.openSpace("home");
  expect((await space.traces([SECRET])).length).toBeGreaterThan(0);
  await space.as({ confirmed: true }).erase({ ids: [id] });
  expect(await space.traces([SECRET, "quixamber"])).toEqual([]);
  await replica.close();
  await using again = await openReplica({ ...options, embedder: letters });
  const reopened = await again.openSpace("home");
  expect((await reopened.status()).index.vectors).toMatchObject({ done: 1, total: 1 });
});

test("[ER29] what a model is writing about when it is erased is not kept, and it is not asked again", async () => {
  await using world = new World(2);
  const asked: string[] = [];
  const gates: PromiseWithResolvers<string>[] = [];
  const summarizer: Summarizer = {
    model: "slow",
    summarize: ({ before, after }) => {
      asked.push(`${before.content} became ${after.content}`);
      gates.push(Promise.withResolvers());
      return (gates.at(-1) as PromiseWithResolvers<string>).promise;
    },
  };
  const { space } = await world.found("writer", { summarizer });
  const ada = space.as({ agent: "ada" });
  const owner = space.as({ confirmed: true });
  const written: string[] = [];
  for (const number of [1, 2]) {
    const { id } = await ada.remember({ content: `${SECRET} ${number}` });
    await ada.revise(id, { content: `${SECRET} ${number}, still` });
    written.push(id);
  }
  await space.history(written[0] as string);
  expect(gates).toHaveLength(1);
  await owner.erase({ ids: [written[0] as string] });
  gates[0]?.resolve(asked[0] as string);
  await space.history(written[1] as string);
  await expect.poll(() => gates.length).toBe(2);
  await owner.erase({ ids: [written[1] as string] });
  gates[1]?.reject(new Error("the model is away"));
  await space.summariesMade();
  expect(asked.length).toBe(2);
  expect(await space.traces([SECRET, "quixamber"])).toEqual([]);
  expect((await space.history(written[0] as string)).map(({ change }) => change.summaryBy)).toEqual([
    "rules",
    "rules",
  ]);
  await space.summariesMade();
  expect(asked.length).toBe(2);
});
