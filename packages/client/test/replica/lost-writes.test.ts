/** Stores that look whole and lack what was acknowledged: the write-ahead log is cut, changed or gone, or an older copy is back. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contentsOf, converged, numbered, synced, World } from "../support/world.js";
import { copyStore, HARMS, killedHome, tailOf, unaccounted } from "./support/lossy-home.js";

const STORES = ["sqlite", "fs"] as const;

describe.each(STORES)("on %s", (storage) => {
  test("[LW1] every acknowledged write is there or named, whatever the end of the store lost", async () => {
    await using world = new World(300);
    const killed = await killedHome(world, { storage, closed: 2, killed: 6 });
    const tail = tailOf(killed.dir, storage);
    for (const [harm, at] of [
      ["cut", 0.5],
      ["flipped", 0.4],
      ["removed", 0],
      ["cut", 0],
    ] as const) {
      killed.restore();
      HARMS[harm](tail, at);
      const device = await world.reopen(killed.home, { storage });
      expect(await unaccounted(device, killed.acknowledged)).toEqual([]);
      expect((await device.space.verify()).ok).toBe(false);
      await device.replica.close();
    }
  });

  test("[LW1] [LW2] [LW5] an older copy of the store put back after a clean stop is told, with who wrote what and when", async () => {
    await using world = new World(301);
    const first = await world.found("first", { storage });
    await first.space.as({ agent: "a" }).remember({ content: "in the copy" });
    await first.replica.close();
    const dir = join(first.home.dir, "spaces", first.space.id);
    const copy = join(world.root, "copy");
    world.copy(dir, copy);
    const lost = await world.reopen(first.home, { storage });
    const agent = lost.space.as({ agent: "scribe" });
    const ids: string[] = [];
    for (const content of numbered(3, "lost")) ids.push((await agent.remember({ content })).id);
    await agent.branches.create("side");
    const { epoch } = (await lost.space.status()).replica;
    await lost.replica.close();
    copyStore(copy, dir);

    const again = await world.reopen(first.home, { storage });
    expect(await contentsOf(again)).toEqual(["in the copy"]);
    const { notices, replica } = await again.space.status();
    expect(replica.epoch).toBe(epoch + 1);
    expect(notices.join("\n")).toMatch(/3 acknowledged writes \(remember of .* by scribe on main at 20/);
    expect(notices.join("\n")).toContain("of the catalog");
    const { ok, damaged, lost: missing } = await again.space.verify();
    expect({ ok, damaged, writes: missing?.writes }).toEqual({ ok: false, damaged: [], writes: 3 });
    const reasons = missing?.parts.map(({ reason }) => reason).join("\n");
    for (const id of ids) expect(reasons).toContain(id);
    expect((await again.space.audit.verify()).notes.join("\n")).toContain("3 changes");

    // Nobody brings them back: what is written now stays beside the loss, which stays named.
    await again.space.as({ agent: "a" }).remember({ content: "after" });
    await again.replica.close();
    const later = await world.reopen(first.home, { storage });
    expect((await later.space.status()).replica.epoch).toBe(epoch + 1);
    expect(await contentsOf(later)).toEqual(["after", "in the copy"]);
    expect(await unaccounted(later, ids)).toEqual([]);

    // The owner ends it, and nobody else.
    await expect(later.space.as({ agent: "a", role: "agent" }).acceptLoss()).rejects.toMatchObject({
      code: "ROLE_REFUSED",
    });
    await expect(later.space.as({ role: "owner" }).acceptLoss()).rejects.toMatchObject({
      code: "CONFIRMATION_NEEDED",
    });
    expect((await later.space.verify()).lost?.writes).toBe(3);
    const owner = later.space.as({ role: "owner", confirmed: true });
    expect(await owner.acceptLoss()).toEqual({ writes: 3 });
    expect(await later.space.verify()).toMatchObject({ ok: true });
    expect((await later.space.status()).notices.join()).not.toContain("issing");
    await later.replica.close();
    const last = await world.reopen(first.home, { storage });
    expect(await last.space.verify()).toMatchObject({ ok: true });
    const [newest] = (await last.space.audit.list({ operation: "accept-loss" })).entries;
    expect(newest).toMatchObject({ operation: "accept-loss", role: "owner" });
  });

  test("[LW3] the relay brings them back, and nothing is said any more", async () => {
    await using world = await World.withRelay(302);
    const first = await world.found("first", { storage });
    await first.space.as({ agent: "a" }).remember({ content: "in the copy" });
    const other = await world.join(first, "other");
    await converged(first, other);
    await first.replica.close();
    const dir = join(first.home.dir, "spaces", first.space.id);
    const copy = join(world.root, "copy");
    world.copy(dir, copy);
    const lost = await world.reopen(first.home, { storage });
    for (const content of numbered(3, "sent")) await lost.space.as({ agent: "a" }).remember({ content });
    await converged(lost, other);
    await lost.replica.close();
    copyStore(copy, dir);

    const offline = await world.reopen(first.home, { storage, connect: false });
    expect((await offline.space.status()).notices.join()).toContain("3 acknowledged writes");
    await offline.space.as({ agent: "a" }).remember({ content: "meanwhile" });
    await offline.replica.close();
    const again = await world.reopen(first.home, { storage });
    await converged(again, other);
    expect(await contentsOf(again)).toEqual(["in the copy", "meanwhile", ...numbered(3, "sent")]);
    expect((await again.space.status()).notices.join()).toContain("are there again");
    expect((await again.space.verify()).ok).toBe(true);
    await again.replica.close();
    const later = await world.reopen(first.home, { storage });
    await synced(later);
    expect((await later.space.status()).notices).toEqual([]);
    expect((await later.space.audit.verify()).notes).toEqual([]);
  });

  test("[LW4] without damage to the store nothing is said: killed, without the note, with one cut or changed", async () => {
    await using world = new World(303);
    const killed = await killedHome(world, { storage, closed: 1, killed: 5 });
    const path = join(killed.dir, "acknowledged");
    const notes: Record<string, () => void> = {
      whole: () => {},
      removed: () => rmSync(path),
      cut: () => HARMS.cut(path, 0.6),
      changed: () => HARMS.flipped(path, 0.5),
      foreign: () => writeFileSync(path, "something else\n{}\n\n"),
      doubled: () => writeFileSync(path, Buffer.concat([readFileSync(path), readFileSync(path)])),
    };
    const altered = ["changed", "foreign"];
    for (const [what, change] of Object.entries(notes)) {
      killed.restore();
      change();
      for (let round = 0; round < 2; round += 1) {
        const device = await world.reopen(killed.home, { storage });
        const said = (await device.space.status()).notices.join();
        expect(said).not.toContain("issing");
        expect(await unaccounted(device, killed.acknowledged)).toEqual([]);
        // An altered line is told, and gone with the next write.
        expect((await device.space.verify()).ok).toBe(round > 0 || !altered.includes(what));
        await device.space.as({ agent: "a" }).remember({ content: `round ${round}` });
        await device.replica.close();
      }
    }
  });
});
