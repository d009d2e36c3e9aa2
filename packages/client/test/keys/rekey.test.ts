import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RekeyResult, Space } from "../../src/api.js";
import { allSynced, contentsOf, type Device, numbered, synced, World } from "../support/world.js";

const SECRET = "The door code of the Zwyvernhof is 4711-Quixamber";

const owner = (space: Space) => space.as({ role: "owner", confirmed: true });

/** As often as the command does it: what is new goes to the relay, and then what is old is destroyed. */
async function rekeyed(device: Device): Promise<RekeyResult> {
  await owner(device.space).rekey();
  await synced(device);
  const result = await owner(device.space).rekey();
  await synced(device);
  return result;
}

const counts = (device: Device) => owner(device.space).rekey({ preview: true });

/** What whoever was removed reads in files that they come by, with the keys that they have. */
async function readBy(removed: Device, paths: readonly string[]): Promise<number> {
  return (await removed.space.traces([SECRET], { paths })).length;
}

const storeOf = ({ home, space }: Device): string => join(home.dir, "spaces", space.id, "store.sqlite");

/** A space of which somebody was removed after much had been written. */
async function afterRemoval(world: World) {
  const ada = await world.found("ada");
  const bob = await world.join(ada, "bob", { role: "admin" });
  const carol = await world.join(ada, "carol");
  const agent = ada.space.as({ agent: "ada" });
  const secret = await agent.remember({ content: SECRET, tags: ["door"] });
  await agent.revise(secret.id, { content: `${SECRET}, at the back` });
  for (const content of numbered(6, "Note")) await agent.remember({ content });
  await bob.space.as({ agent: "bob" }).remember({ content: `Bob knows: ${SECRET}` });
  await ada.space.as({ agent: "ada" }).branches.create("trip");
  await agent.revise(secret.id, { content: `${SECRET}, on a trip` }, { branch: "trip" });
  await allSynced(ada, bob, carol);
  await carol.replica.close();
  await ada.space.members.revoke("carol");
  await allSynced(ada, bob);
  const removed = await world.reopen(carol.home, { connect: false });
  return { ada, bob, removed, secret, agent };
}

describe("sealing anew", () => {
  test("[KE8] whoever was removed reads nothing any more in what the relay and the devices hold, and all else is as it was", async () => {
    await using world = await World.withRelay(1);
    const { ada, bob, removed, secret, agent } = await afterRemoval(world);
    await agent.remember({ content: "Under the new key" });
    const before = [await ada.space.history(secret.id), await contentsOf(ada), await contentsOf(ada, "trip")];
    expect(await readBy(removed, [world.relayDir, storeOf(ada)])).toBeGreaterThan(1);
    const preview = await counts(ada);
    expect(preview).toMatchObject({ status: "preview", epoch: 1, resealed: 0, waiting: 0 });
    expect(preview.earlier).toBeGreaterThan(9);

    const first = await owner(ada.space).rekey();
    expect(first).toMatchObject({ status: "waiting", earlier: 0 });
    expect(first.resealed).toBe(preview.earlier);
    await synced(ada);
    expect(await owner(ada.space).rekey()).toMatchObject({
      status: "rekeyed",
      resealed: 0,
      earlier: 0,
      bytes: 0,
    });
    await allSynced(ada, bob);
    expect(await counts(ada)).toMatchObject({ earlier: 0, waiting: 0, bytes: 0, relay: "destroyed" });
    expect(await counts(bob)).toMatchObject({ earlier: 0, waiting: 0, bytes: 0 });
    expect(await readBy(removed, [world.relayDir, storeOf(ada), storeOf(bob)])).toBe(0);
    expect(await owner(ada.space).rekey()).toMatchObject({ status: "nothing" });

    const late = await world.join(ada, "late");
    await synced(late);
    for (const device of [ada, bob, late]) {
      const shown = [
        await device.space.history(secret.id),
        await contentsOf(device),
        await contentsOf(device, "trip"),
      ];
      expect(shown).toEqual(before);
      expect((await device.space.verify()).ok).toBe(true);
      expect((await device.space.status()).missing).toEqual([]);
      expect(await device.space.erasures()).toEqual([]);
    }
    await ada.replica.close();
    const again = await world.reopen(ada.home);
    await again.space.reindex();
    expect(await contentsOf(again)).toEqual(before[1]);
  });

  test("[KE9] a device that was away, and one that seals anew at the same time, lose nothing and leave nothing", async () => {
    await using world = await World.withRelay(2);
    const { ada, bob, removed, secret } = await afterRemoval(world);
    const dan = await world.join(ada, "dan", { role: "admin" });
    await allSynced(ada, bob, dan);
    world.proxy.cut();
    const own = await dan.space.as({ agent: "dan" }).remember({ content: `Dan wrote: ${SECRET}` });
    await dan.space.as({ agent: "dan" }).revise(secret.id, { tags: ["door", "dan"] });
    await owner(ada.space).rekey();
    await owner(bob.space).rekey();
    world.proxy.restore();
    await allSynced(ada, bob, dan);
    for (const device of [ada, bob, ada]) await rekeyed(device);
    await allSynced(ada, bob, dan, ada);
    for (const device of [ada, bob, dan]) {
      expect((await device.space.get(own.id)).content).toContain("Dan wrote");
      expect((await device.space.get(secret.id)).tags).toEqual(["dan", "door"]);
      expect((await device.space.verify()).ok).toBe(true);
      expect((await device.space.status()).missing).toEqual([]);
    }
    expect(await counts(ada)).toMatchObject({ earlier: 0, waiting: 0, bytes: 0, relay: "destroyed" });
    expect(await readBy(removed, [world.relayDir])).toBe(0);
  });

  test("[KE9] what is erased at the same time is erased, and stays so", async () => {
    await using world = await World.withRelay(3);
    const { ada, bob, secret } = await afterRemoval(world);
    world.proxy.cut();
    await owner(ada.space).rekey();
    await owner(bob.space).erase({ ids: [secret.id] });
    world.proxy.restore();
    await allSynced(ada, bob, ada);
    for (const device of [ada, bob, ada]) await rekeyed(device);
    await allSynced(ada, bob, ada);
    const traces = async (device: Device, paths?: readonly string[]) =>
      (await device.space.traces(["at the back", "on a trip"], paths === undefined ? {} : { paths })).length;
    expect([await traces(ada), await traces(bob), await traces(ada, [world.relayDir])]).toEqual([0, 0, 0]);
    for (const device of [ada, bob]) {
      expect(await device.space.get(secret.id)).toMatchObject({ erased: "whole" });
      expect((await contentsOf(device)).length).toBe(7);
      expect((await device.space.verify()).ok).toBe(true);
    }
    expect(await counts(ada)).toMatchObject({ earlier: 0, waiting: 0, bytes: 0, relay: "destroyed" });
  });

  test("[KE10] with one key there is nothing to do; agents may not, and a call that was aborted does nothing", async () => {
    await using world = await World.withRelay(4);
    const { ada } = await afterRemoval(world);
    await expect(ada.space.as({ agent: "cursor" }).rekey()).rejects.toMatchObject({ code: "ROLE_REFUSED" });
    const alone = await ada.replica.createSpace({ name: "alone" });
    await alone.as({ agent: "ada" }).remember({ content: SECRET });
    expect(await owner(alone).rekey()).toMatchObject({ status: "one-key", records: 1, earlier: 0 });
    const aborted = AbortSignal.abort();
    await expect(owner(ada.space).rekey({ signal: aborted })).rejects.toMatchObject({ code: "ABORTED" });
    expect(await counts(ada)).toMatchObject({ waiting: 0 });
  });
});
