import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSqliteStore } from "../../src/storage/sqlite-store.js";
import { storePath } from "../support/stored.js";
import { type Device, synced, until, World } from "../support/world.js";

const offline = { connect: false } as const;
const DAY = 86_400_000;

/** A closed home with one memory, which nobody has recalled yet. */
async function closedHome(world: World): Promise<Device & { readonly id: string }> {
  const device = await world.found("first");
  const { id } = await device.space.as({ agent: "a" }).remember({ content: "lighthouse" });
  await device.replica.close();
  return { ...device, id };
}

/** As a short command does it. */
async function recallIn(world: World, { home }: Device): Promise<void> {
  const { replica, space } = await world.reopen(home, offline);
  expect(await space.recall("lighthouse")).toHaveLength(1);
  await replica.close();
}

async function usageIn(world: World, { home, id }: Device & { readonly id: string }): Promise<number> {
  const { replica, space } = await world.reopen(home, offline);
  const { uses } = await space.strength(id);
  await replica.close();
  return uses;
}

async function documentsOf({ home, space }: Device): Promise<number> {
  await using store = await openSqliteStore({ path: storePath(home, space.id) });
  return store.rows().length;
}

describe("[US61] what a session that only read has noted", () => {
  test("counts in every later session, through a reindex too, and is in no document", async () => {
    await using world = new World(710);
    const home = await closedHome(world);
    const documents = await documentsOf(home);
    for (let count = 1; count <= 3; count += 1) {
      await recallIn(world, home);
      expect(await usageIn(world, home)).toBe(count);
    }
    const { replica, space } = await world.reopen(home.home, offline);
    await space.reindex();
    expect((await space.strength(home.id)).uses).toBe(3);
    await replica.close();
    expect(await usageIn(world, home)).toBe(3);
    expect(await documentsOf(home)).toBe(documents);
  });

  test("is written, once, when the oldest note is a day old", async () => {
    await using world = new World(711);
    const home = await closedHome(world);
    const documents = await documentsOf(home);
    await recallIn(world, home);
    world.clock.advance(DAY / 2);
    await recallIn(world, home);
    expect(await documentsOf(home)).toBe(documents);
    world.clock.advance(DAY / 2);
    await recallIn(world, home);
    expect(await documentsOf(home)).toBe(documents + 1);
    expect(await usageIn(world, home)).toBe(3);
    await recallIn(world, home);
    expect(await usageIn(world, home)).toBe(4);
  });

  test("is written by a session that writes and notes, and not again after an index came back that still has it", async () => {
    await using world = new World(712);
    const home = await closedHome(world);
    await recallIn(world, home);
    const index = join(home.home.dir, "spaces", home.space.id, "index.sqlite");
    copyFileSync(index, join(world.root, "older"));
    const writing = await world.reopen(home.home, offline);
    await writing.space.as({ agent: "a" }).remember({ content: "harbour" });
    await writing.space.recall("lighthouse");
    await writing.replica.close();
    expect(await usageIn(world, home)).toBe(2);
    copyFileSync(join(world.root, "older"), index);
    expect(await usageIn(world, home)).toBe(2);
  });

  test("reaches other devices with the next sync", async () => {
    await using world = await World.withRelay(713);
    const home = await closedHome(world);
    await recallIn(world, home);
    await recallIn(world, home);
    const first = await world.reopen(home.home);
    const second = await world.join(first, "second");
    await synced(first);
    await synced(second);
    await until(
      "the count has come",
      [second],
      async () => (await second.space.strength(home.id)).uses === 2,
    );
    await first.replica.close();
    expect(await usageIn(world, home)).toBe(2);
  });
});
