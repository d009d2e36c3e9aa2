import * as A from "@automerge/automerge";
import { documentIdFromHex, mainBranchId } from "@cambium/core";
import type { EntryItem } from "@cambium/core/wire";
import { expect, test } from "vitest";
import { SpaceConfigs } from "../../src/documents/space-config.js";
import { Liar } from "../support/liar.js";
import { itemsOf, withItems } from "../support/relay-proxy.js";
import { storedDocument } from "../support/stored.js";
import { allSynced, contentsOf, converged, type Device, synced, until, World } from "../support/world.js";

const keyOf = async ({ space }: Device) => (await space.status()).key;
const isRefused = async ({ space }: Device) => (await space.status()).relay.state === "refused";

/** Two admins, and two who are none. */
async function four(world: World) {
  const ada = await world.found("ada");
  const bob = await world.join(ada, "bob", { role: "admin" });
  const [carol, dave] = [await world.join(ada, "carol"), await world.join(bob, "dave")];
  await ada.space.as({}).remember({ content: "from before" });
  await allSynced(ada, bob, carol, dave);
  return { ada, bob, carol, dave };
}

/** Whoever stays has one key that neither of the two has, and what they write only they read. */
async function expectBothGone(
  world: World,
  admins: readonly Device[],
  staying: readonly Device[],
): Promise<void> {
  const isSettled = async () => {
    const [one, other] = await Promise.all(staying.map(keyOf));
    return one !== undefined && one.epoch >= 2 && one.since === other?.since;
  };
  await expect.poll(isSettled, { timeout: 30_000 }).toBe(true);
  for (const one of staying) await one.space.as({}).remember({ content: `from ${one.home.name}` });
  await allSynced(...staying);
  for (const one of staying)
    expect(await contentsOf(one)).toEqual(expect.arrayContaining(["from carol", "from dave"]));
  const [first, second] = await Promise.all(staying.map((one) => contentsOf(one)));
  expect(first).toEqual(second);
  // One who is away, and hears of both removals together, comes to the same.
  for (const one of admins) {
    if (!(await isRefused(one))) await synced(one);
    const contents = await contentsOf(one);
    expect(contents).toContain("from before");
    expect(contents.filter((text) => /carol|dave/.test(text))).toEqual([]);
  }
  expect(world.proxy.isCut).toBe(false);
}

test.each([
  ["ada", "bob"],
  ["bob", "ada"],
] as const)(
  "[KE14] of two admins who remove each other at once, %s first, neither has the key of those who stay",
  async (...order) => {
    await using world = await World.withRelay(990);
    const { ada, bob, carol, dave } = await four(world);
    const [one, other] = order.map((name) => (name === "ada" ? ada : bob)) as [Device, Device];
    // Both have begun a key, and the relay has it, before it hears of an end of access.
    world.proxy.stops = "DELETE";
    const revoking = [one.space.members.revoke(other.home.name), other.space.members.revoke(one.home.name)];
    for (const revoked of await Promise.allSettled(revoking))
      expect(revoked).toMatchObject({ status: "rejected", reason: { code: "RELAY_UNREACHABLE" } });
    // What each signs under its key, the other cannot tell from what no member made, but for the catalog.
    for (const device of [ada, bob]) await device.space.as({}).remember({ content: "of one who is removed" });
    for (const device of [ada, bob]) await synced(device);
    world.proxy.stops = undefined;
    await one.space.members.revoke(other.home.name);
    await expect(other.space.members.revoke(one.home.name)).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
    await expectBothGone(world, [ada, bob], [carol, dave]);
    const noticesOf = async ({ space }: Device) => (await space.status()).notices.join();
    for (const here of [one, carol, dave]) expect(await noticesOf(here)).not.toContain("no member made");
    // The one that the relay lets in is told, and so is everybody who looks at the members.
    expect(await keyOf(one)).toMatchObject({ lacking: expect.any(Number) });
    expect(await noticesOf(one)).toContain("join again with a new invitation");
    await expect.poll(() => isRefused(other), { timeout: 30_000 }).toBe(true);
    for (const stays of [carol, dave]) {
      const { without } = await keyOf(stays);
      expect(without).toEqual([one.home.name]);
    }
  },
  60_000,
);

/** All hear of the removals of ada and bob, and carol and dave each begin a key of one number, unheard by the other. */
async function withTwoKeysOfOneNumber(world: World): Promise<readonly [carol: Device, dave: Device]> {
  const { ada, bob, carol, dave } = await four(world);
  for (const away of [carol, dave]) await away.replica.close();
  world.proxy.stops = "DELETE";
  await Promise.allSettled([ada.space.members.revoke("bob"), bob.space.members.revoke("ada")]);
  for (const device of [ada, bob]) await synced(device);
  world.proxy.stops = undefined;
  await ada.space.members.revoke("bob");
  await synced(ada);
  await ada.replica.close();
  await bob.replica.close();

  // Both hear of the two removals, and neither hears what the other begins after them.
  world.proxy.filter = (direction, frame) => direction !== "to-relay" || itemsOf(frame).length === 0;
  const stay = [await world.reopen(carol.home), await world.reopen(dave.home)] as const;
  for (const one of stay) {
    await expect.poll(async () => (await keyOf(one)).epoch, { timeout: 30_000 }).toBe(2);
    await one.space.as({}).remember({ content: `from ${one.home.name}` });
  }
  return stay;
}

function lettingThrough(world: World): void {
  world.proxy.cut();
  world.proxy.filter = () => true;
  world.proxy.restore();
}

test("[KE15] two who begin a key of one number at once each take what the other signed under theirs", async () => {
  await using world = await World.withRelay(992);
  const stay = await withTwoKeysOfOneNumber(world);
  lettingThrough(world);

  await converged(...stay);
  for (const one of stay) {
    expect(await contentsOf(one)).toEqual(["from before", "from carol", "from dave"]);
    await until("all have said so", stay, async () => (await keyOf(one)).waiting.length === 0);
    expect((await one.space.status()).notices.join()).not.toContain("no member made");
  }
}, 60_000);

test("[KE18] what may be signed under the second key of a number is kept when the rest is cleaned away", async () => {
  await using world = await World.withRelay(993);
  const [carol, dave] = await withTwoKeysOfOneNumber(world);
  const main = documentIdFromHex(mainBranchId(carol.space.id));
  await carol.replica.close();
  const doc = await storedDocument(carol.home, carol.space.id, main);
  // Carol's memory has come before the key that she began, and so looks like nobody's.
  await using liar = new Liar({
    ...{ url: world.relay.url, space: carol.space.id },
    ...{ token: new SpaceConfigs(carol.home.dir).find(carol.space.id).relay?.token ?? "" },
  });
  await liar.put(mainBranchId(carol.space.id), A.getAllChanges(doc).slice(-1));
  await liar.addUnsigned(mainBranchId(carol.space.id), 3);
  const noticesOf = async () => (await dave.space.status()).notices.join();
  await expect.poll(noticesOf, { timeout: 30_000 }).toContain("4 changes that no member made");
  expect(await dave.space.verify({ clean: true })).toMatchObject({ ok: true, cleaned: 4 });
  expect(await noticesOf()).not.toContain("no member made");
  await dave.replica.close();
  const again = await world.reopen(dave.home);
  expect(await again.space.verify({ clean: true })).toMatchObject({ ok: true, cleaned: 0 });
  await again.replica.close();
  lettingThrough(world);
  const key = await world.reopen(carol.home);
  await synced(key);
  await key.replica.close();
  // Nobody gives it a second time.
  const isGiven = (item: EntryItem): boolean =>
    item.kind === "change" && A.decodeChange(item.chunk).hash === A.getHeads(doc)[0];
  world.proxy.filter = (direction, frame) => {
    const items = itemsOf(frame);
    const isTaken = direction === "from-relay" && items.some(isGiven);
    return (
      !isTaken ||
      withItems(
        frame,
        items.filter((item) => !isGiven(item)),
      )
    );
  };
  const last = await world.reopen(dave.home);
  await expect
    .poll(() => contentsOf(last), { timeout: 20_000 })
    .toEqual(["from before", "from carol", "from dave"]);
}, 60_000);

test("[KE14] offline, nobody removes anybody: the relay has to be asked, and nothing is begun", async () => {
  await using world = await World.withRelay(991);
  const { ada, bob } = await four(world);
  world.proxy.cut();
  const revoked = await Promise.allSettled([
    ada.space.members.revoke("bob"),
    bob.space.members.revoke("ada"),
  ]);
  expect(revoked.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  for (const one of [ada, bob]) expect(await keyOf(one)).toMatchObject({ epoch: 0 });
  world.proxy.restore();
}, 60_000);
