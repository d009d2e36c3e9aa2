/** Archives of a device that has not agreed to an erasure: they hold what it keeps. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyArchive } from "../../src/archive/verify-archive.js";
import { allSynced, contentsOf, type Device, World } from "../support/world.js";

const CLEAR = { clear: true } as const;
const SECRETS = Array.from({ length: 30 }, (_, number) => `Zwyvernhof note ${number}`);
const TEA = "Ada drinks tea at four";

/** Ada has erased what Bob keeps, before he has decided about it. */
async function keeping(seed: number) {
  const world = await World.withRelay(seed);
  const ada = await world.found();
  const bob = await world.join(ada, "bob", { role: "admin" });
  const asAda = ada.space.as({ agent: "ada" });
  await Promise.all(SECRETS.map((content) => asAda.remember({ content, category: "secret" })));
  await asAda.remember({ content: TEA });
  await allSynced(ada, bob);
  await ada.space.as({ confirmed: true }).erase({ category: "secret", confirm: 30, many: true });
  await allSynced(ada, bob);
  return { world, ada, bob };
}

async function imported(world: World, path: string, options = {}): Promise<Device> {
  const home = world.newHome("taken");
  const replica = await world.open(home, { connect: false });
  const { space } = await replica.importArchive(path, options);
  return { home, replica, space: await replica.openSpace(space.name) };
}

test("[AR31] what a device keeps although others erased it is in its archives, and stays kept", async () => {
  const { world, ada, bob } = await keeping(41);
  await using _world = world;
  const held = join(world.root, "held.tar");
  await bob.space.archive(held, CLEAR);
  expect((await verifyArchive(held)).branches.map(({ memories }) => memories)).toEqual([31]);
  const waiting = await imported(world, held);
  expect((await contentsOf(waiting)).length).toBe(31);
  const [asked] = await waiting.space.erasures();
  expect(asked).toMatchObject({ here: "held" });

  await bob.space.as({ confirmed: true }).refuseErasure(asked?.id ?? "");
  const path = join(world.root, "refused.tar");
  await bob.space.archive(path, CLEAR);
  const taken = await imported(world, path);
  expect((await contentsOf(taken)).toSorted()).toEqual([TEA, ...SECRETS].toSorted());
  expect(await taken.space.erasures()).toMatchObject([{ here: "refused" }]);
  expect((await taken.space.recall("Zwyvernhof note 7")).length).toBeGreaterThan(0);
  expect((await taken.space.verify()).ok).toBe(true);
  const copy = await imported(world, path, { asSpace: "copy" });
  expect((await contentsOf(copy)).length).toBe(31);
  expect(await copy.space.erasures()).toEqual([]);

  // Who agreed to it gets none of it, and is told of how much.
  const merged = await ada.replica.importArchive(path);
  expect(merged).toMatchObject({ as: "merge", erasedSince: { memories: 30 } });
  expect(await contentsOf(ada)).toEqual([TEA]);
  expect(await ada.space.traces(["Zwyvernhof note 7"])).toEqual([]);
  // What is agreed to later is in no archive any more, whatever it builds on.
  await bob.space.as({ confirmed: true }).acceptErasure(asked?.id ?? "");
  const later = join(world.root, "later.tar");
  await bob.space.archive(later, { ...CLEAR, since: path });
  expect(await contentsOf(await imported(world, later))).toEqual([TEA]);
});

test("[AR32] an archive of before an erasure says what it does not bring back where the space is", async () => {
  await using world = new World(42);
  const { replica, space } = await world.found("first");
  const agent = space.as({ agent: "ada" });
  const { id } = await agent.remember({ content: "The Wendigo sleeps at noon" });
  const edited = await agent.remember({ content: "Tea at three" });
  await agent.revise(edited.id, { content: TEA });
  const path = join(world.root, "a.tar");
  await space.archive(path, CLEAR);
  expect(await replica.importArchive(path)).toMatchObject({ branches: [], erasedSince: { memories: 0 } });
  await space.as({ confirmed: true }).erase({ ids: [id], confirm: 1 });
  for (const preview of [true, false])
    expect(await replica.importArchive(path, { preview })).toMatchObject({
      branches: [],
      erasedSince: { memories: 1, lastAt: expect.any(Number) },
    });
  await space.archive(join(world.root, "b.tar"), CLEAR);
  expect(await replica.importArchive(join(world.root, "b.tar"))).toMatchObject({
    erasedSince: { memories: 0 },
  });
});
