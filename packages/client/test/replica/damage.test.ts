import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentIdFromHex, mainBranchId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { REAL_PLACES } from "../storage/places.js";
import { itemsOf } from "../support/relay-proxy.js";
import { modesUnder } from "../support/stored.js";
import { contentsOf, converged, type Device, numbered, World } from "../support/world.js";

const flipped = (bytes: Uint8Array): Uint8Array =>
  bytes.map((byte, index) => (index === 40 ? byte ^ 1 : byte));
const truncated = (bytes: Uint8Array): Uint8Array => bytes.slice(0, -7);
const DAMAGE = [
  ["altered", flipped],
  ["truncated", truncated],
] as const;

describe.each(REAL_PLACES)("on %s", (kind, placeIn) => {
  const storage = kind === "SQLite" ? "sqlite" : "fs";
  const placeOf = ({ home, space }: Device) => {
    const dir = join(home.dir, "spaces", space.id);
    return placeIn(kind === "SQLite" ? dir : join(dir, "store"));
  };

  /** Damages the newest chunk of a document, and names it. */
  async function damage(
    device: Device,
    document: string,
    change: (bytes: Uint8Array) => Uint8Array,
  ): Promise<string> {
    const place = placeOf(device);
    const medium = await place.open();
    const keys = (await medium.keys([document])).filter((key) => key[1] !== "sync-state");
    await medium.close();
    const key = keys.at(-1) ?? [];
    await place.damage(key, change);
    return key.join("/");
  }

  async function snapshotOf(device: Device, document: string): Promise<readonly string[] | undefined> {
    const medium = await placeOf(device).open();
    const keys = await medium.keys([document, "snapshot"]);
    await medium.close();
    return keys[0];
  }

  test.each(DAMAGE)(
    "[RP24] an %s chunk is named by verify and by the next open; the rest stays readable",
    async (reason, change) => {
      await using world = new World(120);
      const first = await world.found("first", { storage });
      const agent = first.space.as({ agent: "a" });
      for (const content of numbered(8, "whole")) await agent.remember({ content });
      await agent.branches.create("side");
      await agent.remember({ content: "on the side" }, { branch: "side" });
      const side = (await first.space.branches.list()).find(({ name }) => name === "side");
      await first.replica.close();
      const chunk = await damage(first, documentIdFromHex(side?.id as string), change);

      const again = await world.reopen(first.home, { storage });
      expect(await contentsOf(again)).toHaveLength(8);
      const report = await again.space.verify();
      expect(report.ok).toBe(false);
      expect(report.damaged).toEqual([{ what: `chunk ${chunk}`, reason }]);
      expect(report.records).toBeGreaterThanOrEqual(8);
      await again.space.as({ agent: "a" }).remember({ content: "written after" });
      await again.replica.close();

      const later = await world.reopen(first.home, { storage });
      const status = await later.space.status();
      expect(status.notices.join()).toContain(`${chunk} is ${reason}`);
      expect(status.damage).toMatchObject({ parts: 1 });
      expect(await contentsOf(later)).toHaveLength(9);
    },
  );

  test.each(DAMAGE)(
    "[RP24] a pack and a catalog with an %s beginning are whole again after a sync that finds them so",
    async (_reason, change) => {
      await using world = await World.withRelay(125);
      const first = await world.found("first", { storage });
      const agent = first.space.as({ agent: "a" });
      for (const content of numbered(40, "whole")) await agent.remember({ content });
      const other = await world.join(first, "other");
      await converged(first, other);
      const { documents } = await first.space.sync.status();
      await first.replica.close();
      const synced: (readonly string[] | undefined)[] = [];
      for (const { documentId } of documents) synced.push(await snapshotOf(first, documentId));
      const offline = await world.reopen(first.home, { storage, connect: false });
      await offline.space.as({ agent: "a" }).remember({ content: "not sent yet" });
      await offline.replica.close();
      // What stands in them is on the relay; the only copy of what is not stands beside them.
      for (const [index, key] of synced.entries()) {
        const { documentId = "" } = documents[index] ?? {};
        const isThere = key !== undefined && (await snapshotOf(first, documentId))?.join() === key.join();
        expect(isThere).toBe(true);
        if (key !== undefined) await placeOf(first).damage([...key], change);
      }

      // Nothing is read first: the sync itself meets the damage, of documents of every kind.
      const again = await world.reopen(first.home, { storage });
      await converged(again, other);
      expect(await contentsOf(other)).toEqual([...numbered(40, "whole"), "not sent yet"].sort());
      expect(await contentsOf(again)).toEqual(await contentsOf(other));
      expect((await other.space.verify()).ok).toBe(true);
    },
  );

  test.each(DAMAGE)("[RP24] an %s chunk comes back from the relay", async (_reason, change) => {
    await using world = await World.withRelay(121);
    const first = await world.found("first", { storage });
    const agent = first.space.as({ agent: "a" });
    for (const content of numbered(8, "whole")) await agent.remember({ content });
    const other = await world.join(first, "other");
    await converged(first, other);
    const { documents } = await first.space.sync.status();
    await first.replica.close();
    for (const { documentId, kind: of } of documents)
      if (of !== "catalog") await damage(first, documentId, change);

    const again = await world.reopen(first.home, { storage });
    await converged(again, other);
    expect(await contentsOf(again)).toHaveLength(8);
    expect((await again.space.status()).missing).toEqual([]);
    await again.space.as({ agent: "a" }).remember({ content: "written after" });
    await converged(again, other);
    await again.replica.close();
    const later = await world.reopen(first.home, { storage, connect: false });
    expect(await contentsOf(later)).toHaveLength(9);
  });

  test.each(["in the same session", "in the next session"])(
    "[RP24] what verify set aside of a branch that nobody reads comes back with a sync %s",
    async (when) => {
      await using world = await World.withRelay(126);
      const first = await world.found("first", { storage });
      const agent = first.space.as({ agent: "a" });
      await agent.branches.create("side");
      for (const content of numbered(8, "whole")) await agent.remember({ content }, { branch: "side" });
      await first.space.sync.whenSynced();
      const side = (await first.space.branches.list()).find(({ name }) => name === "side");
      await first.replica.close();
      const synced = await world.reopen(first.home, { storage });
      await synced.space.sync.whenSynced();
      await synced.replica.close();
      await damage(first, documentIdFromHex(side?.id as string), flipped);

      let again = await world.reopen(first.home, { storage });
      expect((await again.space.verify()).ok).toBe(false);
      if (when === "in the next session") {
        await again.replica.close();
        again = await world.reopen(first.home, { storage });
      }
      await again.space.sync.whenSynced();
      await again.space.reindex();
      expect((await again.space.list({ branch: "side" })).memories).toHaveLength(8);
      expect((await again.space.verify()).damaged).toEqual([]);
    },
  );

  test("[RP8] a copy taken before the session met damage takes an epoch above that which began with it", async () => {
    await using world = new World(127);
    const first = await world.found("first", { storage });
    await first.space.as({ agent: "a" }).branches.create("side");
    await first.space.as({ agent: "a" }).remember({ content: "on the side" }, { branch: "side" });
    const side = (await first.space.branches.list()).find(({ name }) => name === "side");
    await first.replica.close();
    await damage(first, documentIdFromHex(side?.id as string), flipped);

    const again = await world.reopen(first.home, { storage });
    const agent = again.space.as({ agent: "a" });
    await agent.remember({ content: "before the copy" });
    const backup = `${world.root}/backup`;
    world.copy(first.home.dir, backup);
    await agent.remember({ content: "meets the damage" }, { branch: "side" });
    const { epoch } = (await again.space.status()).replica;
    expect(epoch).toBe(1);
    await agent.remember({ content: "after the copy" });
    await again.replica.close();
    world.copy(backup, first.home.dir);

    const restored = await world.reopen(first.home, { storage });
    await restored.space.as({ agent: "a" }).remember({ content: "on the restored copy" });
    const status = await restored.space.status();
    expect(status.replica.epoch).toBeGreaterThan(epoch);
    expect(status.notices.join()).toContain("restored from an earlier copy");
  });

  const copiedBetweenWrites = async (world: World) => {
    const first = await world.found("first", { storage });
    const agent = first.space.as({ agent: "a" });
    await agent.remember({ content: "before the copy" });
    const backup = `${world.root}/backup`;
    world.copy(first.home.dir, backup);
    await agent.remember({ content: "after the copy" });
    return { first, backup };
  };

  test("[RP38] a copy from the midst of a session that ended, put back before the next, is told as a backup", async () => {
    await using world = new World(128);
    const { first, backup } = await copiedBetweenWrites(world);
    const { epoch } = (await first.space.status()).replica;
    await first.replica.close();
    world.copy(backup, first.home.dir);

    const restored = await world.reopen(first.home, { storage });
    const { notices, replica } = await restored.space.status();
    expect(notices.join()).toContain("restored from an earlier copy");
    expect(replica.epoch).toBe(epoch + 1);
    await restored.space.as({ agent: "a" }).remember({ content: "on the restored copy" });
    expect((await restored.space.status()).replica.epoch).toBe(epoch + 1);
  });

  test("[RP38] a copy that takes the place of a home while a session writes is told as a backup", async () => {
    await using world = new World(129);
    const { first, backup } = await copiedBetweenWrites(world);
    renameSync(first.home.dir, `${world.root}/removed`);
    world.copy(backup, first.home.dir);
    await first.replica.close().catch(() => {});

    const restored = await world.reopen(first.home, { storage });
    const told = (await restored.space.status()).notices.join();
    expect(told).toContain("restored from an earlier copy");
    expect((await restored.space.list()).memories).toHaveLength(1);
  });

  test("[RP23] every file of a home is its owner's alone", async () => {
    await using world = await World.withRelay(122);
    const first = await world.found("first", { storage });
    await first.space.as({ agent: "a" }).remember({ content: "private" });
    await first.space.branches.create("side");
    const other = await world.join(first, "other", { storage });
    await converged(first, other);
    for (const { home } of [first, other]) {
      for (const place of [home.dir, home.stateDir]) {
        const open = [...modesUnder(place)].filter(
          ([, { isDirectory, mode }]) => mode !== (isDirectory ? 0o700 : 0o600),
        );
        expect(open).toEqual([]);
      }
    }
  });
});

test("[RP24] a damaged replica.json or space.json is named, not replaced", async () => {
  await using world = new World(123);
  const first = await world.found();
  await first.replica.close();
  const damaged = { code: "STORE_DAMAGED" };
  const cut = (file: string): (() => void) => {
    const path = join(first.home.dir, file);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, 20));
    return () => writeFileSync(path, whole);
  };
  const mendReplica = cut("replica.json");
  await expect(world.open(first.home)).rejects.toMatchObject(damaged);
  mendReplica();
  const mendSpace = cut(join("spaces", first.space.id, "space.json"));
  const replica = await world.open(first.home);
  await expect(replica.openSpace()).rejects.toMatchObject(damaged);
  mendSpace();
  expect((await replica.openSpace()).id).toBe(first.space.id);
});

test("[RP23] an invitation keeps its secrets behind the #, and no frame carries them", async () => {
  await using world = await World.withRelay(124);
  const first = await world.found("first");
  await first.space
    .as({ agent: "a" })
    .remember({ content: "a very secret sentence", category: "secret-category" });
  await first.space.branches.create("secret-branch");
  const other = await world.join(first, "other");
  await converged(first, other);
  const [before = "", after = ""] = (await first.space.invite({ role: "write" })).split("#");
  const config = JSON.parse(
    readFileSync(join(first.home.dir, "spaces", first.space.id, "space.json"), "utf8"),
  );
  expect(before).not.toContain(config.key);
  expect(after).toContain(config.key);
  const sent = Buffer.concat(
    world.proxy.frames.flatMap(({ frame }) =>
      [...Object.values(frame), ...itemsOf(frame).flatMap(Object.values)].map((value) =>
        Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)),
      ),
    ),
  ).toString("latin1");
  expect(sent).toContain(mainBranchId(first.space.id));
  for (const secret of [config.key, "secret", "remembered by"]) expect(sent).not.toContain(secret);
});
