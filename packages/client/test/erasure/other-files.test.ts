import { expect, test } from "vitest";
import type { Embedder } from "../../src/api/embedder.js";
import { openReplica } from "../../src/replica/open-replica.js";
import { World } from "../support/world.js";

const SECRET = "The door code of the Zwyvernhof is 4711-Quixamber";

/** A vector that says which letters a text has. */
const embedder: Embedder = {
  model: "letters",
  embed: async (texts) =>
    texts.map((text) =>
      Float32Array.from(
        { length: 26 },
        (_, at) => text.toLowerCase().split(String.fromCharCode(97 + at)).length,
      ),
    ),
} as Embedder;

test("[ER29] stores made of files lose it as well, and so do vectors, also when no model is named any more", async () => {
  await using world = new World(1);
  const home = world.newHome("files");
  const options = { ...home, storage: "fs", clock: world.clock.now } as const;
  let id = "";
  {
    await using replica = await openReplica({ ...options, embedder });
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
  await using again = await openReplica({ ...options, embedder });
  const reopened = await again.openSpace("home");
  expect((await reopened.status()).index.vectors).toMatchObject({ done: 1, total: 1 });
});
