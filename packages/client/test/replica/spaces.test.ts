/** Several spaces on one device: which one is meant, and what they are called. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Replica } from "../../src/api.js";
import { synced, World } from "../support/world.js";

const defaultOf = async (replica: Replica) =>
  (await replica.spaces()).filter(({ isDefault }) => isDefault).map(({ name }) => name);

test("[KY7] the first space stays the one that is meant, until another is chosen; both survive a restart", async () => {
  await using world = await World.withRelay(90);
  const inviter = await world.found("inviter");
  const home = world.newHome("several");
  let replica = await world.open(home, { connect: false });
  const first = await replica.createSpace({ name: "first" });
  expect(await defaultOf(replica)).toEqual(["first"]);
  await replica.createSpace({ name: "second" });
  await replica.joinSpace(await inviter.space.invite({ role: "write" }));
  expect((await replica.openSpace()).id).toBe(first.id);
  await replica.close();
  replica = await world.open(home, { connect: false });
  expect((await replica.openSpace()).name).toBe("first");
  await replica.setDefaultSpace("second");
  await replica.close();
  replica = await world.open(home, { connect: false });
  expect((await replica.openSpace()).name).toBe("second");
  expect(await defaultOf(replica)).toEqual(["second"]);
  await expect(replica.setDefaultSpace("third")).rejects.toMatchObject({ code: "SPACE_NOT_FOUND" });

  // Without the choice, as in a home of an earlier version, nobody guesses.
  const choice = join(home.dir, "spaces", "default.json");
  for (const damage of [() => writeFileSync(choice, "{"), () => rmSync(choice)]) {
    damage();
    await expect(replica.openSpace()).rejects.toMatchObject({
      code: "AMBIGUOUS_SPACE",
      hint: expect.stringMatching(/cambium spaces --default.*--space.*CAMBIUM_SPACE.*\.cambium\.json/),
    });
    expect(await defaultOf(replica)).toEqual([]);
  }
});

test("[AR5] [ER8] what a process left that died while it imported or removed a space goes before anything is erased", async () => {
  await using world = new World(93);
  const { home, replica, space } = await world.found();
  const { id } = await space.as({ agent: "ada" }).remember({ content: "Zwyvernhof 4711" });
  await replica.close();
  const spaces = join(home.dir, "spaces");
  for (const left of [".importing", ".removed"])
    cpSync(join(spaces, space.id), join(spaces, `${space.id}${left}`), { recursive: true });
  mkdirSync(join(spaces, "mine.removed"));
  const again = await (await world.open(home)).openSpace();
  await again.as({ confirmed: true }).erase({ ids: [id] });
  expect(await again.traces(["zwyvernhof"])).toEqual([]);
  expect(readdirSync(spaces).toSorted()).toEqual([space.id, "mine.removed"]);
});

test("[KY8] a space is renamed here alone, and keeps its place", async () => {
  await using world = await World.withRelay(91);
  const owner = await world.found("owner");
  const member = await world.join(owner, "member");
  await synced(owner);
  await owner.replica.createSpace({ name: "other" });
  await expect(owner.replica.renameSpace("shared", "other")).rejects.toMatchObject({ code: "SPACE_EXISTS" });
  await expect(owner.replica.renameSpace("shared", "")).rejects.toMatchObject({ code: "BAD_INPUT" });
  await owner.replica.renameSpace("shared", "family");
  expect(owner.space.name).toBe("family");
  await owner.replica.close();
  const again = await world.open(owner.home, { connect: false });
  await again.renameSpace("other", "work");
  expect((await again.spaces()).map(({ name }) => name)).toEqual(["family", "work"]);
  expect((await again.openSpace()).name).toBe("family");
  expect(member.space.name).toBe("shared");
});

test("[KY9] removing a space deletes what is stored of it here, and refuses what is nowhere else", async () => {
  await using world = await World.withRelay(92);
  const owner = await world.found("owner");
  const { replica, home } = owner;
  await owner.space.as({ agent: "a" }).remember({ content: "On the relay." });
  await synced(owner);
  await owner.space.sync.stop();
  await owner.space.as({ agent: "a" }).remember({ content: "Not sent." });
  const unsent = { code: "UNSENT_CHANGES", hint: expect.stringContaining("--discard-unsent") };
  await expect(replica.removeSpace("shared")).rejects.toMatchObject(unsent);
  owner.space.sync.start();
  await synced(owner);

  const local = await replica.createSpace({ name: "local" });
  await replica.removeSpace("local"); // nothing is in it
  expect(existsSync(join(home.dir, "spaces", local.id))).toBe(false);
  const kept = await replica.createSpace({ name: "kept" });
  await kept.as({ agent: "a" }).remember({ content: "Only here." });
  await expect(replica.removeSpace("kept")).rejects.toMatchObject(unsent);
  await replica.createSpace({ name: "third" });
  await expect(replica.removeSpace("shared")).rejects.toMatchObject({
    ...{ code: "BAD_INPUT", hint: expect.stringContaining("cambium spaces --default") },
  });

  // With one other left, that one is meant.
  await replica.removeSpace("third");
  await replica.removeSpace("shared");
  await expect(owner.space.status()).rejects.toMatchObject({ code: "REPLICA_CLOSED" });
  expect(await defaultOf(replica)).toEqual(["kept"]);
  await replica.removeSpace("kept", { discardUnsent: true });
  expect(await replica.spaces()).toEqual([]);
  expect(readdirSync(join(home.dir, "spaces")).filter((name) => name !== "default.json")).toEqual([]);
  await expect(replica.removeSpace("kept")).rejects.toMatchObject({ code: "SPACE_NOT_FOUND" });
});

test("[KY5] a damaged space stops only calls that mean it, and can be removed", async () => {
  await using world = new World(93);
  const { replica, home, space } = await world.found();
  const second = await replica.createSpace({ name: "second" });
  await replica.close();
  const damage = (id: string) => writeFileSync(join(home.dir, "spaces", id, "space.json"), "{");
  damage(second.id);
  const again = await world.open(home);
  expect((await again.openSpace()).id).toBe(space.id);
  await expect(again.removeSpace(second.id)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
  await again.removeSpace(second.id, { discardUnsent: true });
  expect(await again.damagedSpaces()).toEqual([]);
  await again.createSpace({ name: "third" });
  await again.close();
  damage(space.id);
  const last = await world.open(home);
  await expect(last.openSpace()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
});
