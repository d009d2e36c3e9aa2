import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyArchive } from "../../src/archive/verify-archive.js";
import { startArchiving } from "../support/processes.js";
import { seededNumbers } from "../support/seeded.js";
import { type Device, type Home, World } from "../support/world.js";

const IS_SOAK = process.env.CAMBIUM_SOAK === "1";
/** How often each is killed. */
const KILLS = IS_SOAK ? 40 : 2;
const SECRET = "Zwyvernhof 4711-Quixamber";
const [TEXTS, TEXT_WORDS] = IS_SOAK ? [60, 2_000] : [12, 1_000];

/** Megabytes in several packs, with a branch, so that there is something to be killed in. */
async function lived(world: World): Promise<Device> {
  const device = await world.found("first");
  const agent = device.space.as({ agent: "ada" });
  for (let number = 0; number < TEXTS; number += 1) {
    const words = randomBytes(TEXT_WORDS * 6)
      .toString("hex")
      .replaceAll(/.{12}/g, "$& ");
    await agent.remember({ content: `${SECRET} ${number} ${words}` });
  }
  await agent.branches.create("trip");
  await agent.remember({ content: "on a trip" }, { branch: "trip" });
  return device;
}

const countsIn = async (home: Home, world: World) => {
  await using replica = await world.open(home, { connect: false });
  const found: unknown[] = [];
  for (const { name } of await replica.spaces()) {
    const space = await replica.openSpace(name);
    const [{ memories }, trip] = [await space.list({ limit: 1_000 }), await space.list({ branch: "trip" })];
    const { ok } = await space.verify();
    found.push([name, memories.length, trip.memories.length, ok]);
  }
  return { found, isDamaged: (await replica.damagedSpaces()).length > 0 };
};

/** Runs it until some time within what it took the first time, and kills it there. */
async function killed(options: Parameters<typeof startArchiving>[0], share: number, lastedMs: number) {
  await using running = startArchiving(options);
  await running.lines.until((line) => line === "open");
  await new Promise((resolve) => setTimeout(resolve, share * lastedMs));
  return (await running.kill()).includes("done");
}

async function lasting(options: Parameters<typeof startArchiving>[0]): Promise<number> {
  await using running = startArchiving(options);
  await running.lines.until((line) => line === "open");
  const begun = performance.now();
  await running.lines.until((line) => line === "done");
  await running.said();
  return performance.now() - begun;
}

test("[AR5] killed at any moment, an archive is there whole or not at all, and the next one removes what was left of it", async () => {
  await using world = new World(31);
  const next = seededNumbers(31);
  const { home, replica } = await lived(world);
  await replica.close();
  const folder = join(world.root, "archives");
  mkdirSync(folder);
  const path = join(folder, "a.tar");
  const archiving = { ...home, verb: "archive", path, options: { clear: true, overwrite: true } } as const;
  const lastedMs = await lasting(archiving);
  for (let kill = 0; kill < KILLS; kill += 1) {
    rmSync(path);
    const isDone = await killed(archiving, next(), lastedMs);
    if (isDone || existsSync(path)) expect(await verifyArchive(path)).toMatchObject({ isSealed: false });
    await lasting(archiving);
    // Also what was left in the clear.
    expect(readdirSync(folder)).toEqual(["a.tar"]);
    expect((await verifyArchive(path)).branches.map(({ memories }) => memories)).toEqual([TEXTS, TEXTS + 1]);
  }
});

test.each([
  ["[AR5]", "an import", {}, "shared"],
  ["[AR24]", "an import as a space of its own", { asSpace: "copy" }, "copy"],
])(
  "%s killed at any moment, %s is there whole or not at all, and leaves no text",
  async (_rule, _what, options, name) => {
    await using world = new World(32);
    const next = seededNumbers(name.length);
    const { replica, space } = await lived(world);
    const path = join(world.root, "a.tar");
    await space.archive(path, { clear: true });
    await replica.close();
    const whole = [name, TEXTS, TEXTS + 1, true];
    const first = world.newHome();
    const importing = (home: Home) => ({ ...home, verb: "import", path, options }) as const;
    const lastedMs = await lasting(importing(first));
    expect(await countsIn(first, world)).toEqual({ found: [whole], isDamaged: false });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const home = world.newHome();
      const isDone = await killed(importing(home), next(), lastedMs);
      const { found, isDamaged } = await countsIn(home, world);
      expect(isDamaged).toBe(false);
      expect(found.length === 0 && !isDone ? [whole] : found).toEqual([whole]);
      const spaces = join(home.dir, "spaces");
      const left = existsSync(spaces) ? readdirSync(spaces).filter((one) => one.includes(".")) : [];
      expect(left.filter((one) => one !== "default.json")).toEqual([]);
      // Once is enough to show that it can be begun again.
      if (found.length > 0 || kill < KILLS - 1) continue;
      await lasting(importing(home));
      expect(await countsIn(home, world)).toEqual({ found: [whole], isDamaged: false });
    }
  },
);
