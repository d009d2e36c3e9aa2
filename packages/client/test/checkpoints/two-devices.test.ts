import { isDeepStrictEqual } from "node:util";
import { documentIdFromHex } from "@cambium/core";
import { describe, expect, test } from "vitest";
import type { Checkpoint } from "../../src/api.js";
import { pair } from "../space/support/pair.js";
import { withholding } from "../support/withheld.js";
import { type Device, meet, part, synced, until, World } from "../support/world.js";

const DAY_MS = 86_400_000;

async function meetFully(...devices: readonly Device[]): Promise<void> {
  await meet(...devices);
  await until("all show the same checkpoints", devices, async () => {
    const [first, ...others] = await Promise.all(devices.map(shownIn));
    return others.every((shown) => isDeepStrictEqual(shown, first));
  });
}

const shownIn = ({ space }: Device): Promise<readonly Checkpoint[]> =>
  space.checkpoints.list({ deleted: true });

describe("checkpoints on two devices", () => {
  test("[CP02] of two made apart under one name, the smallest id keeps it; the other reads name~ab12", async () => {
    await using world = await World.withRelay(250);
    const { a, b } = await pair(world, "admin");
    await a.space.as({ agent: "ada" }).remember({ content: "ada's" });
    const made = [
      await a.space.checkpoints.create({ name: "x" }),
      await b.space.checkpoints.create({ name: "x" }),
    ];
    await meetFully(a, b);
    const [first, second] = made.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const other = `x~${second?.id.slice(0, 4)}`;
    for (const { space } of [a, b]) {
      const byId = new Map((await space.checkpoints.list()).map((one) => [one.id, one]));
      expect(byId.get(first?.id as never)).toMatchObject({ name: "x" });
      expect(byId.get(second?.id as never)).toMatchObject({
        name: other,
        notice: expect.stringContaining("named x"),
      });
      for (const [name, one] of [
        ["x", first],
        [other, second],
      ] as const) {
        const { memories } = await space.list({ at: `main@checkpoint:${name}` });
        expect(memories).toHaveLength(one === made[0] ? 2 : 1);
        expect((await space.list({ at: `checkpoint:${name}` })).memories).toHaveLength(memories.length);
      }
      await expect(space.checkpoints.delete("x")).rejects.toMatchObject({
        ...{ code: "BAD_INPUT", hint: expect.stringContaining(other) },
      });
    }
    await a.space.checkpoints.delete(other);
    await meetFully(a, b);
    expect((await b.space.checkpoints.list()).map(({ name }) => name)).toEqual(["x"]);
  });

  test("[CP34] two devices that begin a week apart make one checkpoint of it", async () => {
    await using world = await World.withRelay(251);
    const { a, b } = await pair(world, "admin");
    world.clock.advance(7 * DAY_MS);
    await a.space.as({ agent: "ada" }).remember({ content: "ada's monday" });
    await b.space.as({ agent: "bob" }).remember({ content: "bob's monday" });
    await meetFully(a, b);
    const [shown, same] = [await shownIn(a), await shownIn(b)];
    expect(shown).toMatchObject([
      { cause: "weekly", isHere: true, name: expect.stringMatching(/^weekly-2026-w32-/) },
    ]);
    expect(same).toEqual(shown);
    for (const { space } of [a, b])
      expect((await space.list({ at: "checkpoint:weekly-2026-w32" })).memories).toHaveLength(1);
  });

  test("[CP36] deleted on one device is deleted on all, whatever the other does with it meanwhile", async () => {
    await using world = await World.withRelay(252);
    const { a, b } = await pair(world, "admin");
    await a.space.checkpoints.create({ name: "x" });
    await meetFully(a, b);
    await part(a, b);
    await a.space.checkpoints.delete("x");
    await b.space.as({ agent: "bob" }).remember({ content: "more" });
    await b.space.checkpoints.delete("x");
    await b.space.checkpoints.create({ name: "x" });
    await meetFully(a, b);
    for (const device of [a, b])
      expect((await shownIn(device)).map(({ state }) => state)).toEqual(["kept", "deleted"]);
    expect(await shownIn(a)).toEqual(await shownIn(b));
  });

  test("[CP37] one whose state has not arrived is listed as such, and not read as something else", async () => {
    await using world = await World.withRelay(253);
    const { a, b } = await pair(world, "admin");
    const work = await a.space.branches.create("work");
    await a.space.as({ agent: "ada" }).remember({ content: "at work" }, { branch: "work" });
    await a.space.checkpoints.create({ name: "x", branch: "work" });
    const document = documentIdFromHex(work.id);
    a.space.sync.start();
    await synced(a);
    await part(a);
    world.proxy.filter = withholding((id) => id === document);
    b.space.sync.start();
    await until("the checkpoint is listed", [b], async () => (await b.space.checkpoints.list()).length === 1);
    const [late] = await b.space.checkpoints.list();
    expect(late).toMatchObject({ isHere: false });
    await expect(b.space.list({ at: "checkpoint:x" })).rejects.toMatchObject({
      ...{ code: "HEADS_NOT_HERE", message: expect.stringContaining("checkpoint") },
    });
    expect(await b.space.checkpoints.get(late?.id ?? "")).not.toHaveProperty("memories");
    world.proxy.filter = () => true;
    await part(a, b);
    await meetFully(a, b);
    expect((await b.space.checkpoints.get("x")).memories).toBe(2);
  });
});
