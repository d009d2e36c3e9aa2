/** Erasures of much that come from another device: held, agreed to, refused. */
import { describe, expect, test } from "vitest";
import { allSynced, contentsOf, type Device, synced, World } from "../support/world.js";

const SECRETS = Array.from({ length: 30 }, (_, number) => `Zwyvernhof note ${number}`);
const FRAGMENTS = ["zwyvernhof note 7"];

async function twoDevices(seed: number) {
  const world = await World.withRelay(seed);
  const ada = await world.found();
  const bob = await world.join(ada, "bob", { role: "admin" });
  const asAda = ada.space.as({ agent: "ada" });
  // At once: one write of a group costs what each of them would.
  await Promise.all(SECRETS.map((content) => asAda.remember({ content, category: "secret" })));
  await asAda.remember({ content: "Ada drinks tea at four" });
  await allSynced(ada, bob);
  return { world, ada, bob, owner: ada.space.as({ confirmed: true }) };
}

const tracesIn = async (...devices: readonly Device[]) =>
  (await Promise.all(devices.map(({ space }) => space.traces(FRAGMENTS)))).flat();

describe("an erasure of much that comes from another device", () => {
  test("[ER33] [ER34] waits here, keeps what is here readable, and goes once a person agrees", async () => {
    const { world, ada, bob, owner } = await twoDevices(1);
    await using _world = world;
    await owner.erase({ category: "secret", confirm: 30, many: true });
    await allSynced(ada, bob);
    expect(await tracesIn(ada)).toEqual([]);
    expect(await contentsOf(ada)).toEqual(["Ada drinks tea at four"]);
    expect(await contentsOf(bob)).toHaveLength(31);
    const [held] = await bob.space.erasures();
    expect(held).toMatchObject({ here: "held", wouldTake: 30, isDoneHere: false });
    expect((await bob.space.status()).notices.join()).toContain("30 memories for good. This waits for you");
    expect(await ada.space.erasures()).toMatchObject([
      { relay: "destroyed", waiting: [{ name: bob.replica.name }] },
    ]);
    expect((await ada.space.traces(FRAGMENTS, { paths: [world.relayDir] })).length).toBe(0);

    // What was written here meanwhile goes on as ever, and a restart keeps what is held.
    await bob.space.as({ agent: "bob" }).remember({ content: "Bob bought a boat" });
    await bob.replica.close();
    const again = await world.reopen(bob.home);
    await allSynced(again, ada);
    expect((await contentsOf(ada)).toSorted()).toEqual(["Ada drinks tea at four", "Bob bought a boat"]);
    expect(await contentsOf(again)).toHaveLength(32);
    expect((await again.space.recall("Zwyvernhof note 7")).length).toBeGreaterThan(0);
    expect((await again.space.verify()).ok).toBe(true);
    expect((await again.space.status()).missing).toEqual([]);
    const id = held?.id ?? "";
    await expect(again.space.as({ agent: "rex" }).acceptErasure(id)).rejects.toMatchObject({
      code: "ROLE_REFUSED",
    });
    await expect(again.space.as({}).acceptErasure(id, { confirm: 7 })).rejects.toMatchObject({
      code: "STALE_EXPECTATION",
    });
    const bobOwner = again.space.as({ confirmed: true });
    expect(await bobOwner.acceptErasure(id.slice(0, 8), { confirm: 30 })).toMatchObject({
      here: "destroyed",
    });
    expect(await tracesIn(again)).toEqual([]);
    await allSynced(again, ada);
    expect((await contentsOf(again)).toSorted()).toEqual(["Ada drinks tea at four", "Bob bought a boat"]);
    expect(await ada.space.erasures()).toMatchObject([{ waiting: [], refused: [], relay: "destroyed" }]);
    await expect(bobOwner.acceptErasure(id)).rejects.toMatchObject({ code: "BAD_INPUT" });
  });

  test("[ER35] [ER75] refused: this device keeps its copy, sends none of it, says so, and can still agree", async () => {
    const { world, ada, bob, owner } = await twoDevices(2);
    await using _world = world;
    await owner.erase({ category: "secret", confirm: 30, many: true });
    await allSynced(ada, bob);
    const bobOwner = bob.space.as({ confirmed: true });
    const [held] = await bob.space.erasures();
    const id = held?.id ?? "";
    expect(await bobOwner.refuseErasure(id)).toMatchObject({ here: "refused" });
    const [note] = (await bob.space.list({ category: "secret" })).memories;
    const asBob = bob.space.as({ agent: "bob" });
    const revised = await asBob.revise(note?.id ?? "", { content: "Zwyvernhof note 7, gone on with" });
    expect(revised.staysHere).toBe(true);
    const [tea] = await bob.space.recall("Ada drinks tea");
    expect((await asBob.revise(tea?.id ?? "", { tags: ["daily"] })).staysHere).toBeUndefined();
    expect((await bob.space.status()).notices.join()).toContain(
      "has erased 30 memories for good and this device keeps its copy",
    );
    await allSynced(bob, ada, bob);
    expect(await tracesIn(ada)).toEqual([]);
    expect(await ada.space.traces(FRAGMENTS, { paths: [world.relayDir] })).toEqual([]);
    expect(await contentsOf(ada)).toEqual(["Ada drinks tea at four"]);
    expect(await contentsOf(bob)).toHaveLength(31);
    expect(await ada.space.erasures()).toMatchObject([
      { waiting: [], refused: [{ name: bob.replica.name }] },
    ]);
    expect((await bob.space.status()).notices.join()).not.toContain("waits for you");
    // Something else that is erased from what is kept is gone from there, too.
    const kept = (await bob.space.list({ category: "secret", limit: 100 })).memories;
    const other = kept.find(({ content }) => content === "Zwyvernhof note 8");
    await bobOwner.erase({ ids: [other?.id ?? ""] });
    expect(await bob.space.traces(["Zwyvernhof note 8"])).toEqual([]);
    expect(await contentsOf(bob)).toHaveLength(30);
    expect(await bobOwner.acceptErasure(id)).toMatchObject({ here: "destroyed" });
    expect(await tracesIn(bob)).toEqual([]);
    expect(await contentsOf(bob)).toEqual(["Ada drinks tea at four"]);
    await allSynced(bob, ada);
    expect(await ada.space.erasures()).toMatchObject([
      { waiting: [], refused: [] },
      { waiting: [], refused: [] },
    ]);
  });

  test("[ER36] several small ones within a day are one large one, and the policy may agree or refuse by itself", async () => {
    const { world, ada, bob, owner } = await twoDevices(3);
    await using _world = world;
    const ids = (await ada.space.list({ category: "secret", limit: 100 })).memories.map((one) => one.id);
    await owner.erase({ ids: ids.slice(0, 20) });
    await allSynced(ada, bob);
    expect(await contentsOf(bob)).toHaveLength(11);
    await owner.erase({ ids: ids.slice(20, 28) });
    await allSynced(ada, bob);
    expect(await contentsOf(bob)).toHaveLength(11);
    expect((await bob.space.erasures()).map(({ here }) => here)).toEqual(["held", "destroyed"]);
    await bob.space.as({ role: "owner" }).policy.set("accept-erasure", "owner", "allow");
    world.clock.advance(60_000);
    await owner.erase({ ids: ids.slice(28) });
    await allSynced(ada, bob);
    expect((await bob.space.erasures()).map(({ here }) => here)).toEqual(["destroyed", "held", "destroyed"]);
    const late = await world.join(ada, "late");
    await synced(late);
    expect(await contentsOf(late)).toEqual(["Ada drinks tea at four"]);
    expect((await late.space.erasures()).map(({ here }) => here)).toEqual(Array(3).fill("destroyed"));
  });
});
