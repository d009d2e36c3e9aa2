import { describe, expect, test } from "vitest";
import { allSynced, contentsOf, type Device, synced, World } from "../support/world.js";

const SECRET = "The door code of the Zwyvernhof is 4711-Quixamber";
const FRAGMENTS = [SECRET, "4711-quixamber", "zwyvernhof"];

/** Everything that anybody has, and the relay. */
async function tracesIn(world: World, ...devices: readonly Device[]) {
  const found = await Promise.all(devices.map(({ space }) => space.traces(FRAGMENTS)));
  const [first] = devices;
  const relay = (await first?.space.traces(FRAGMENTS, { paths: [world.relayDir] })) ?? [];
  return [...found.flat(), ...relay].map(
    ({ path, where }) => `${path.split("/").slice(-3).join("/")}: ${where}`,
  );
}

describe("several devices", () => {
  test("[ER18] [ER19] every device and the relay destroy their copies and say so; the rest keeps its records", async () => {
    await using world = await World.withRelay(1);
    const ada = await world.found();
    const bob = await world.join(ada, "bob");
    const { id } = await ada.space.as({ agent: "ada" }).remember({ content: SECRET });
    const tea = await ada.space.as({ agent: "ada" }).remember({ content: "Ada drinks tea at four" });
    const reader = await world.join(ada, "reader", { role: "read" });
    await allSynced(ada, bob, reader);
    expect((await reader.space.get(id)).content).toBe(SECRET);
    expect((await bob.space.get(id)).content).toBe(SECRET);
    expect((await tracesIn(world, ada, bob)).some((place) => place.includes("relay"))).toBe(true);
    await ada.space.as({ confirmed: true }).erase({ ids: [id] });
    expect(await ada.space.erasures()).toMatchObject([
      { relay: "pending", waiting: [{ name: bob.replica.name }] },
    ]);
    await allSynced(ada, bob);
    expect(await tracesIn(world, ada, bob)).toEqual([]);
    for (const { space } of [ada, bob]) {
      expect(await space.get(id)).toMatchObject({ erased: "whole", content: "" });
      expect(await space.get(tea.id)).toMatchObject({
        content: "Ada drinks tea at four",
        record: tea.record,
      });
      expect(await space.erasures()).toMatchObject([{ isDoneHere: true, relay: "destroyed", waiting: [] }]);
      expect((await space.verify()).ok).toBe(true);
    }
    const late = await world.join(ada, "late");
    await synced(late);
    expect(await contentsOf(late)).toEqual(["Ada drinks tea at four"]);
    expect(await late.space.get(id)).toMatchObject({ erased: "whole" });
    expect((await late.space.status()).missing).toEqual([]);
  });

  test("[ER73] a device whose access has ended is not waited for, and is again once it comes back", async () => {
    await using world = await World.withRelay(7);
    const ada = await world.found();
    const bob = await world.join(ada, "bob");
    const asAda = ada.space.as({ agent: "ada" });
    const [before, after] = [
      await asAda.remember({ content: SECRET }),
      await asAda.remember({ content: "Tea" }),
    ];
    await allSynced(ada, bob);
    await bob.replica.close();
    const owner = ada.space.as({ confirmed: true });
    await owner.erase({ ids: [before.id] });
    const named = { name: bob.replica.name };
    expect(await ada.space.erasures()).toMatchObject([{ waiting: [named], ended: [] }]);
    const waits = "not acknowledged yet by";
    const first = await ada.space.status();
    expect(first.notices.join()).toContain(waits);
    expect(first.mayHide).toEqual([]);
    await owner.members.revoke(bob.replica.name);
    await owner.erase({ ids: [after.id] });
    await synced(ada);
    const ended = { waiting: [], ended: [named], acknowledged: [{ name: ada.replica.name }] };
    expect(await ada.space.erasures()).toMatchObject([ended, ended]);
    expect((await ada.space.status()).notices.join()).not.toContain(waits);

    const invitation = await ada.space.invite({ role: "write" });
    const replica = await world.open(bob.home);
    const again: Device = { ...bob, replica, space: await replica.joinSpace(invitation) };
    await allSynced(again, ada);
    expect(await tracesIn(world, ada, again)).toEqual([]);
    const done = { waiting: [], ended: [] };
    expect(await ada.space.erasures()).toMatchObject([done, done]);
    expect((await ada.space.erasures())[0]?.acknowledged).toHaveLength(2);
  });

  test("[ER20] [ER38] a device that was away for a year brings nothing back, and nothing it wrote is lost", async () => {
    await using world = await World.withRelay(2);
    const ada = await world.found();
    const bob = await world.join(ada, "bob");
    const asBob = bob.space.as({ agent: "bob" });
    const { id } = await asBob.remember({ content: SECRET });
    const tea = await asBob.remember({ content: "Bob drinks tea" });
    await allSynced(ada, bob);
    world.proxy.cut();
    await asBob.revise(id, { tags: ["door"] });
    await asBob.revise(id, { content: `${SECRET}, still` });
    await asBob.branches.create("trip");
    await asBob.revise(id, { content: `${SECRET}, on a trip` }, { branch: "trip" });
    const own = await asBob.remember({ content: "Bob bought a boat" });
    await asBob.revise(tea.id, { content: "Bob drinks coffee" });
    await ada.space.as({ confirmed: true }).erase({ ids: [id] });
    world.proxy.restore();
    world.clock.advance(365 * 86_400_000);
    await synced(ada);
    await allSynced(bob, ada);
    expect(await tracesIn(world, ada, bob)).toEqual([]);
    for (const device of [ada, bob]) {
      expect((await contentsOf(device)).toSorted()).toEqual(["Bob bought a boat", "Bob drinks coffee"]);
      expect(await device.space.get(own.id)).toMatchObject({ record: own.record });
      expect(await device.space.get(id, { branch: "trip" })).toMatchObject({ erased: "whole" });
      expect((await device.space.status()).missing).toEqual([]);
      expect((await device.space.verify()).ok).toBe(true);
    }
    await ada.space.as({ confirmed: true }).merge({ from: "trip" });
    await allSynced(ada, bob);
    expect(await tracesIn(world, ada, bob)).toEqual([]);
  });

  test("[ER21] two devices that erase from one pack at once leave all else, and agree", async () => {
    await using world = await World.withRelay(3);
    const ada = await world.found();
    const bob = await world.join(ada, "bob", { role: "admin" });
    const asAda = ada.space.as({ agent: "ada" });
    const one = await asAda.remember({ content: SECRET });
    const two = await asAda.remember({ content: `Another one: ${SECRET}` });
    const kept = await asAda.remember({ content: "Ada drinks tea at four" });
    await allSynced(ada, bob);
    world.proxy.cut();
    await ada.space.as({ confirmed: true }).erase({ ids: [one.id] });
    await bob.space.as({ confirmed: true }).erase({ ids: [two.id] });
    world.proxy.restore();
    await allSynced(ada, bob, ada);
    expect(await tracesIn(world, ada, bob)).toEqual([]);
    for (const device of [ada, bob]) {
      expect(await contentsOf(device)).toEqual(["Ada drinks tea at four"]);
      expect(await device.space.get(kept.id)).toMatchObject({ record: kept.record });
      expect((await device.space.verify()).ok).toBe(true);
    }
  });

  test("[ER22] [ER24] a relay or a home put back from yesterday's copy loses it again with the next sync", async () => {
    await using world = await World.withRelay(4);
    const ada = await world.found();
    const bob = await world.join(ada, "bob");
    const { id } = await ada.space.as({ agent: "ada" }).remember({ content: SECRET });
    const tea = await bob.space.as({ agent: "bob" }).remember({ content: "Bob drinks tea" });
    await allSynced(ada, bob);
    await bob.replica.close();
    const yesterday = { relay: `${world.root}/relay-then`, home: `${world.root}/bob-then` };
    await world.restartRelay(() => world.copy(world.relayDir, yesterday.relay));
    world.copy(bob.home.dir, yesterday.home);
    await ada.space.as({ confirmed: true }).erase({ ids: [id] });
    await synced(ada);
    expect(await tracesIn(world, ada)).toEqual([]);
    await world.restartRelay(() => world.copy(yesterday.relay, world.relayDir));
    await synced(ada);
    expect(await tracesIn(world, ada)).toEqual([]);
    world.copy(yesterday.home, bob.home.dir);
    const again = await world.reopen(bob.home);
    await allSynced(again, ada);
    expect(await tracesIn(world, ada, again)).toEqual([]);
    for (const device of [ada, again]) {
      expect(await contentsOf(device)).toEqual(["Bob drinks tea"]);
      expect(await device.space.get(tea.id)).toMatchObject({ record: tea.record });
      expect((await device.space.status()).missing).toEqual([]);
    }
  });

  test("[ER23] [ER37] what a device wrote into a pack that was erased from meanwhile is carried into another", async () => {
    await using world = await World.withRelay(5);
    const ada = await world.found();
    const bob = await world.join(ada, "bob", { role: "admin" });
    const asAda = ada.space.as({ agent: "ada" });
    const { id } = await asAda.remember({ content: SECRET });
    await allSynced(ada, bob);
    world.proxy.cut();
    const late = await asAda.remember({ content: "written while away" });
    await bob.space.as({ confirmed: true }).erase({ ids: [id] });
    world.proxy.restore();
    await synced(bob);
    await allSynced(ada, bob);
    expect(await tracesIn(world, ada, bob)).toEqual([]);
    for (const device of [ada, bob]) {
      expect(await device.space.get(late.id)).toMatchObject({
        content: "written while away",
        record: late.record,
      });
      expect((await device.space.status()).missing).toEqual([]);
      expect(await device.space.erasures()).toMatchObject([{ relay: "destroyed", waiting: [] }]);
    }
    const next = await asAda.remember({ content: "and afterwards" });
    await allSynced(ada, bob);
    expect(await bob.space.get(next.id)).toMatchObject({ content: "and afterwards" });
  });
});
