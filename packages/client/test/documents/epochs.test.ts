import { rmSync } from "node:fs";
import { type BranchId, documentIdFromHex, mainBranchId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { startWriter } from "../support/processes.js";
import { storedChanges } from "../support/stored.js";
import { contentsOf, converged, type Device, meet, synced, World } from "../support/world.js";

const remember = ({ space }: Device, content: string) => space.as({ agent: "a" }).remember({ content });

const epochsOf = async ({ home, space }: Device, branch: BranchId = mainBranchId(space.id)) => {
  const changes = await storedChanges(home, space.id, documentIdFromHex(branch));
  return [...new Set(changes.map(({ replica, epoch }) => `${replica} ${epoch}`))];
};

describe("epochs", () => {
  test("[RP7] a clean stop keeps the epoch, a kill -9 ends it", async () => {
    await using world = await World.withRelay(50);
    const first = await world.found();
    await remember(first, "one");
    await synced(first);
    await first.replica.close();
    const again = await world.reopen(first.home, { connect: false });
    await remember(again, "two");
    await again.replica.close();
    await using writer = startWriter({ ...first.home, agent: "killed", seed: 1 });
    await writer.lines.until((line) => line !== "open");
    await writer.kill();
    const after = await world.reopen(first.home);
    const { id } = await remember(after, "three");
    await synced(after);
    const other = await world.join(after, "other");
    await converged(after, other);
    expect((await other.space.get(id)).content).toBe("three");
    await after.replica.close();
    const replica = first.space.replica;
    expect(await epochsOf(after)).toEqual([`${replica} 0`, `${replica} 1`]);
  });

  test("[RP7] a session that was killed before it wrote costs no epoch", async () => {
    await using world = new World(51);
    const first = await world.found();
    await first.replica.close();
    await using writer = startWriter({ ...first.home, agent: "killed", count: 0, seed: 1 });
    await writer.said();
    const after = await world.reopen(first.home);
    await remember(after, "one");
    expect((await after.space.status()).replica.epoch).toBe(0);
  });

  test("[RP8] a restored earlier copy of the home takes a higher epoch, and everything is kept", async () => {
    await using world = await World.withRelay(52);
    const first = await world.found();
    await remember(first, "in the backup");
    await synced(first);
    await first.replica.close();
    const backup = `${world.root}/backup`;
    world.copy(first.home.dir, backup);
    const lost = await world.reopen(first.home);
    await remember(lost, "sent after the backup");
    await synced(lost);
    await remember(lost, "sent too");
    await synced(lost);
    await lost.replica.close();
    world.copy(backup, first.home.dir);

    const restored = await world.reopen(first.home, { connect: false });
    await remember(restored, "written on the restored copy");
    expect((await restored.space.status()).notices.join()).toContain("restored from an earlier copy");
    restored.space.sync.start();
    const other = await world.join(restored, "other");
    await converged(restored, other);
    expect(await contentsOf(other)).toHaveLength(4);
    await restored.replica.close();
    const replica = first.space.replica;
    expect(await epochsOf(restored)).toEqual([`${replica} 0`, `${replica} 1`].sort());
  });

  test.each([false, true])(
    "[RP38] a restored earlier copy stays told until the owner accepts it (with a relay: %s)",
    async (hasRelay) => {
      await using world = hasRelay ? await World.withRelay(56) : new World(56);
      const first = await world.found();
      await remember(first, "in the backup");
      if (hasRelay) await synced(first);
      await first.replica.close();
      const backup = `${world.root}/backup`;
      world.copy(first.home.dir, backup);
      const lost = await world.reopen(first.home);
      await remember(lost, "sent after the backup");
      if (hasRelay) await synced(lost);
      await remember(lost, "lost");
      await lost.replica.close();
      world.copy(backup, first.home.dir);

      const told = /restored from an earlier copy, in which the last session of writing began at 20/;
      for (const content of ["after", "later"]) {
        const device = await world.reopen(first.home);
        if (hasRelay) await synced(device);
        expect((await device.space.status()).notices.join("\n")).toMatch(told);
        const verified = await device.space.verify();
        expect([verified.ok, verified.notes?.join()]).toEqual([true, expect.stringMatching(told)]);
        expect(await device.space.audit.verify()).toMatchObject({ restored: true });
        await remember(device, content);
        await device.replica.close();
      }
      const last = await world.reopen(first.home);
      const later = await last.replica.createSpace({ name: "made since" });
      expect((await later.status()).notices.join()).not.toMatch(told);
      await last.space.as({ role: "owner", confirmed: true }).acceptLoss();
      expect((await last.space.status()).notices.join()).not.toMatch(told);
      await last.replica.close();
      const again = await world.open(first.home);
      const space = await again.openSpace(last.space.id);
      expect((await space.status()).notices).toEqual([]);
      expect((await space.verify()).notes).toBeUndefined();
    },
  );

  test("[RP8] so does a copy that was taken while the home was open", async () => {
    await using world = await World.withRelay(55);
    const first = await world.found();
    await remember(first, "before the copy");
    await synced(first);
    const backup = `${world.root}/backup`;
    world.copy(first.home.dir, backup);
    await remember(first, "after the copy");
    await synced(first);
    await first.replica.close();
    world.copy(backup, first.home.dir);
    const restored = await world.reopen(first.home, { connect: false });
    await remember(restored, "on the restored copy");
    expect((await restored.space.status()).replica.epoch).toBe(1);
    restored.space.sync.start();
    await synced(restored);
    expect(await contentsOf(restored)).toHaveLength(3);
  });

  test("[RP9] a copy in another place is a replica of its own, and both go on", async () => {
    await using world = await World.withRelay(53);
    const first = await world.found();
    await remember(first, "shared by both");
    await synced(first);
    await first.replica.close();
    const copy = world.newHome("copy");
    world.copy(first.home.dir, copy.dir);
    const original = await world.reopen(first.home, { connect: false });
    const twin = await world.reopen(copy, { connect: false });
    expect(twin.space.replica).not.toBe(original.space.replica);
    await remember(original, "by the original");
    await remember(twin, "by the copy");
    await meet(original, twin);
    expect(await contentsOf(twin)).toHaveLength(3);
    expect((await twin.space.status()).notices.join()).toContain("copied or moved");
  });

  test("[RP9] a home whose outside state is gone is taken for a copy", async () => {
    await using world = new World(54);
    const first = await world.found();
    await remember(first, "one");
    await first.replica.close();
    rmSync(first.home.stateDir, { recursive: true });
    const again = await world.reopen(first.home);
    expect(again.space.replica).not.toBe(first.space.replica);
    await remember(again, "two");
    expect(await contentsOf(again)).toHaveLength(2);
  });
});
