import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { openReplica } from "../../src/replica/open-replica.js";
import { type Device, type Home, World } from "../support/world.js";

const NEWER = 9;
const SCHEMA = "../../../core/src/schema/schema-version.js";
let openNewer: typeof openReplica;

/** The library once more, as it would be if its schema were newer. */
beforeAll(async () => {
  vi.resetModules();
  vi.doMock(SCHEMA, () => ({
    SCHEMA_VERSION: NEWER,
    readableSchema: (version: number) => Math.min(version, 2),
  }));
  ({ openReplica: openNewer } = await import("../../src/replica/open-replica.js"));
  vi.doUnmock(SCHEMA);
});
afterAll(() => vi.resetModules());

const agentOf = ({ space }: Pick<Device, "space">) => space.as({ agent: "ada" });

/** Lets a newer Cambium do something in a home that is closed. */
async function withNewer(
  world: World,
  { dir, stateDir, name }: Home,
  act: (device: Pick<Device, "space">) => Promise<void>,
): Promise<void> {
  const { random, clock } = world;
  await using replica = await openNewer({ dir, stateDir, name, clock: clock.now, random, connect: false });
  await act({ space: await replica.openSpace() });
}

describe("a home in which a newer Cambium has written", () => {
  test("[CP38] its first write is preceded by a checkpoint of what was there", async () => {
    await using world = new World(311);
    const first = await world.found("a");
    await agentOf(first).remember({ content: "ours" });
    await agentOf(first).checkpoints.create({ name: "ours" });
    await agentOf(first).remember({ content: "ours, later" });
    await first.replica.close();
    await withNewer(world, first.home, async (device) => {
      for (const content of ["theirs", "theirs, later"]) await agentOf(device).remember({ content });
      const made = await device.space.checkpoints.list();
      expect(made.map(({ cause }) => cause)).toEqual(["upgrade", "manual"]);
      expect(made[0]?.name).toMatch(/^before-upgrade-/);
    });
  });

  test("[CP52] what it wrote is named, kept, and not written over; everything else works", async () => {
    await using world = new World(310);
    const first = await world.found("a");
    const known = await agentOf(first).remember({ content: "ours", area: "home" });
    await first.replica.close();
    let theirs = "";
    await withNewer(world, first.home, async (device) => {
      theirs = (await agentOf(device).remember({ content: "theirs" })).id;
      await agentOf(device).revise(known.id, { content: "ours, revised by theirs" });
      await device.space.checkpoints.create({ name: "theirs" });
      await device.space.checkpoints.setPolicy({ days: 3 });
    });

    const again = await world.reopen(first.home);
    const { missing, notices } = await again.space.status();
    expect(missing.map(({ memory, code }) => [memory, code]).sort()).toEqual(
      [
        [known.id, "SCHEMA_TOO_NEW"],
        [theirs, "SCHEMA_TOO_NEW"],
      ].sort(),
    );
    expect(notices.join()).toContain("newer Cambium");
    const verified = await again.space.verify();
    expect(verified).toMatchObject({ ok: true, damaged: [] });
    expect(verified.tooNew?.map(({ reason }) => reason)).toEqual(
      Array(2).fill(expect.stringContaining(`schema ${NEWER}`)),
    );
    expect(await again.space.get(known.id)).toMatchObject({ content: "ours" });
    await expect(again.space.get(theirs)).rejects.toMatchObject({ code: "SCHEMA_TOO_NEW" });
    await expect(again.space.checkpoints.setPolicy({ days: 5 })).rejects.toMatchObject({
      code: "SCHEMA_TOO_NEW",
    });
    await agentOf(again).revise(known.id, { area: "work" });
    await agentOf(again).remember({ content: "more of ours" });
    await again.replica.close();

    await withNewer(world, first.home, async ({ space }) => {
      expect((await space.get(theirs)).content).toBe("theirs");
      expect(await space.get(known.id)).toMatchObject({ content: "ours, revised by theirs", area: "work" });
      expect((await space.checkpoints.policy()).days).toBe(3);
      expect((await space.checkpoints.get("theirs")).state).toBe("kept");
    });
  });
});
