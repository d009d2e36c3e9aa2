import { type BranchId, documentIdFromHex, mainBranchId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { storedChanges } from "../support/stored.js";
import { contentsOf, converged, type Device, numbered, until, World } from "../support/world.js";

const remember = ({ space }: Device, content: string) => space.as({ agent: "a" }).remember({ content });

interface Restored {
  readonly first: Device;
  readonly second: Device;
}

/** A device whose whole disk, what tells a restored home included, goes back to before its last writes. */
async function restored(world: World, options: { readonly connect: boolean }): Promise<Restored> {
  const device = await world.found("first");
  await remember(device, "in the backup");
  const second = await world.join(device, "second");
  await converged(device, second);
  await device.replica.close();
  const { dir, stateDir } = device.home;
  const backup = `${world.root}/backup`;
  world.copy(dir, `${backup}-home`);
  world.copy(stateDir, `${backup}-state`);
  const lost = await world.reopen(device.home);
  for (const content of numbered(3, "after the backup")) await remember(lost, content);
  await converged(lost, second);
  await lost.replica.close();
  world.copy(`${backup}-home`, dir);
  world.copy(`${backup}-state`, stateDir);
  return { first: await world.reopen(device.home, options), second };
}

const noticesOf = async ({ space }: Device): Promise<string> => (await space.status()).notices.join("\n");

async function actorsOf(device: Device): Promise<readonly string[]> {
  const { home, space } = device;
  const changes = await storedChanges(home, space.id, documentIdFromHex(mainBranchId(space.id) as BranchId));
  return changes.map(({ replica, epoch, seq }) => `${replica} ${epoch} ${seq}`);
}

describe("a whole disk restored from a backup", () => {
  test("[RP10] takes a new epoch on hearing from the relay what it did since, before it writes", async () => {
    await using world = await World.withRelay(160);
    const { first, second } = await restored(world, { connect: true });
    await converged(first, second);
    expect(await contentsOf(first)).toHaveLength(4);
    expect(await noticesOf(first)).toContain("The relay holds changes of this replica that are not here");
    await remember(first, "after the restore");
    await converged(first, second);
    expect(await contentsOf(second)).toHaveLength(5);
    await first.replica.close();
    const actors = await actorsOf(first);
    expect(new Set(actors).size).toBe(actors.length);
    expect((await world.reopen(first.home, { connect: false })).space.replica).toBe(first.space.replica);
  });

  test("[RP11] writes again, under a new epoch, what it wrote under numbers that were taken", async () => {
    await using world = await World.withRelay(161);
    const { first, second } = await restored(world, { connect: false });
    const agent = first.space.as({ agent: "a" });
    for (const content of numbered(3, "on the restored disk")) await remember(first, content);
    const { id } = await agent.remember({ content: "revised on the restored disk" });
    await agent.revise(id, { tags: ["kept"], reason: "to have a second version" });
    await agent.forget((await remember(first, "forgotten there")).id);
    const before = (await first.space.log()).changes.length;

    first.space.sync.start();
    await until(
      "what was written is here and there",
      [first, second],
      async () => (await contentsOf(second)).length === 8,
    );
    await converged(first, second);

    expect(await contentsOf(first)).toEqual(
      [
        "in the backup",
        ...numbered(3, "after the backup"),
        ...numbered(3, "on the restored disk"),
        "revised on the restored disk",
      ].sort(),
    );
    for (const { space } of [first, second]) {
      expect(await space.get(id)).toMatchObject({ tags: ["kept"], versions: 2, conflicts: [] });
      expect(await space.conflicts()).toEqual([]);
      expect((await space.log()).changes).toHaveLength(before + 3);
      expect((await space.status()).missing).toEqual([]);
    }
    expect(await noticesOf(first)).toMatch(/written again under epoch/);
    await remember(first, "and on");
    await converged(first, second);
    await first.replica.close();
    const actors = await actorsOf(first);
    expect(new Set(actors).size).toBe(actors.length);

    const again = await world.reopen(first.home);
    await converged(again, second);
    expect(await contentsOf(again)).toHaveLength(9);
    expect((await again.space.verify()).ok).toBe(true);
  });

  test("[RP11] also while both sides write on, and with branches and merges", async () => {
    await using world = await World.withRelay(162);
    const { first, second } = await restored(world, { connect: false });
    const agent = first.space.as({ agent: "a" });
    await remember(first, "before the fork");
    await agent.branches.create("side");
    await agent.remember({ content: "on the side" }, { branch: "side" });
    expect((await agent.merge({ from: "side" })).status).toBe("merged");
    await second.space.as({ agent: "b" }).remember({ content: "by the second" });

    first.space.sync.start();
    await Promise.all(numbered(5, "meanwhile").map((content) => remember(first, content)));
    await converged(first, second);

    for (const device of [first, second]) {
      expect(await contentsOf(device)).toEqual(
        expect.arrayContaining([
          "before the fork",
          "on the side",
          "by the second",
          ...numbered(5, "meanwhile"),
        ]),
      );
      expect(await contentsOf(device)).toHaveLength(12);
      expect((await device.space.branches.list())[1]).toMatchObject({ name: "side", parent: "main" });
      expect(await noticesOf(device)).not.toContain("could not");
    }
    await second.space.as({ agent: "b" }).remember({ content: "later on the side" }, { branch: "side" });
    expect((await second.space.merge({ from: "side" })).status).toBe("merged");
    await remember(first, "and later on main");
    await converged(first, second);
    expect(await contentsOf(first)).toHaveLength(14);
    expect((await first.space.merge({ from: "side" })).status).toBe("up-to-date");
    expect((await first.space.merge({ from: "main", into: "side" })).status).toBe("merged");
    await converged(first, second);
    expect(await contentsOf(second, "side")).toHaveLength(14);
  });
});
