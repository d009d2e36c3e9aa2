import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Replica } from "../../src/api.js";
import { startRekeying } from "../support/processes.js";
import { seededNumbers } from "../support/seeded.js";
import { synced, World } from "../support/world.js";

/** How often it is killed. */
const KILLS = process.env.CAMBIUM_SOAK === "1" ? 30 : 1;
/** About as long as a pack takes. */
const LONGEST_MS = 150;
/** Of a pack, there is a megabyte. */
const [TEXTS, TEXT_BYTES, PACKS] = [20, 120_000, 2];

test("[KE11] [KE13] killed at any moment, it goes on where it was, and nothing is lost", async () => {
  await using world = await World.withRelay(5);
  const next = seededNumbers(5);
  const ada = await world.found("ada");
  const carol = await world.join(ada, "carol");
  const texts = Array.from({ length: TEXTS }, () => randomBytes((TEXT_BYTES * 3) / 4).toString("base64url"));
  for (const content of texts) await ada.space.as({ agent: "ada" }).remember({ content });
  await synced(ada);
  await synced(carol);
  await ada.space.members.revoke("carol");
  const file = join(world.root, "space.cambium");
  await ada.space.archive(file, { clear: true });
  // One without a relay: nothing is waited for.
  const home = world.newHome("alone");
  const alone = await world.open(home);
  await alone.importArchive(file);
  await alone.close();

  const all = new Set(texts);
  const shows = async (replica: Replica, isDone: boolean): Promise<void> => {
    const space = await replica.openSpace();
    const { memories } = await space.list({ limit: 100 });
    expect(new Set(memories.map(({ content }) => content))).toEqual(all);
    expect(await space.verify()).toMatchObject({ ok: true });
    const left = await space.as({ role: "owner" }).rekey({ preview: true });
    const none = { earlier: 0, waiting: 0, bytes: 0, relay: "none" };
    expect(left).toMatchObject({ records: TEXTS, epoch: 1, ...(isDone ? none : {}) });
  };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const copy = { ...home, dir: `${home.dir}-${kill}`, stateDir: `${home.dir}-${kill}-state` };
    world.copy(home.dir, copy.dir);
    await using running = startRekeying(copy);
    const begun = `pack ${Math.floor(next() * PACKS)}`;
    await running.lines.until((line) => line === begun);
    await new Promise((resolve) => setTimeout(resolve, next() * LONGEST_MS));
    await running.kill();
    await using replica = await world.open(copy, { connect: false });
    await shows(replica, false);
    const space = await replica.openSpace();
    const { earlier, waiting } = await space.as({ role: "owner" }).rekey({ preview: true });
    const isToldOf = (await space.status()).notices.some((notice) => notice.includes("cambium rekey"));
    expect(isToldOf || earlier + waiting === 0).toBe(true);
    const { status } = await space.as({ role: "owner" }).rekey();
    expect((await space.status()).notices.join()).not.toContain("cambium rekey");
    expect(["rekeyed", "nothing"]).toContain(status);
    await space.reindex();
    await shows(replica, true);
  }
});
