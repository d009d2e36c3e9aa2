import { documentIdFromHex, mainBranchId, memoryKey } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { itemsOf, withItems } from "../support/relay-proxy.js";
import { strangerWrites } from "../support/stranger.js";
import { contentsOf, converged, until, World } from "../support/world.js";

const NEW_ID = "0198c2a4-7d3e-7c51-9f00-3c5e8a1b2d4f";

function place(id: string): readonly [string, string] {
  const [, bucket = "", memory = ""] = memoryKey(id as never).split("/");
  return [bucket, memory];
}

describe("what no member made", () => {
  test("[RP25] a change without a valid code is kept out of the shown state and reported", async () => {
    await using world = await World.withRelay(130);
    const first = await world.found("first");
    const { id } = await first.space.as({ agent: "a" }).remember({ content: "genuine" });
    const second = await world.join(first, "second");
    await converged(first, second);
    const main = documentIdFromHex(mainBranchId(first.space.id));
    await using stranger = await strangerWrites(await first.space.invite({ role: "write" }), main, (doc) => {
      for (const memory of [id, NEW_ID]) {
        const [bucket, key] = place(memory);
        (doc.memories?.[bucket] as Record<string, unknown>)[key] = new Uint8Array(48).fill(7);
      }
    });
    await stranger.acknowledged;
    for (const device of [first, second]) {
      await until("the forged change is reported", [device], async () =>
        (await device.space.status()).notices.some((notice) => notice.includes("no member")),
      );
      expect(await contentsOf(device)).toEqual(["genuine"]);
      expect(await device.space.get(id)).toMatchObject({ content: "genuine", conflicts: [] });
      expect((await device.space.status()).missing).toEqual([]);
      await expect(device.space.get(NEW_ID)).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });
    }
    await first.space.as({ agent: "a" }).revise(id, { content: "written over it" });
    await converged(first, second);
    expect(await contentsOf(second)).toEqual(["written over it"]);
  });

  test("[RP25] a forged or rolled back catalog entry is ignored and reported", async () => {
    await using world = await World.withRelay(131);
    const first = await world.found("first");
    await first.space.branches.create("work");
    await first.space.branches.rename("work", "renamed");
    const second = await world.join(first, "second");
    await converged(first, second);
    const catalog = (await first.space.sync.status()).documents.find(({ kind }) => kind === "catalog")
      ?.documentId as string;
    await using stranger = await strangerWrites(
      await first.space.invite({ role: "write" }),
      catalog,
      (doc) => {
        const { branches = {}, branchStates = {} } = doc as unknown as Record<
          string,
          Record<string, Uint8Array>
        >;
        for (const map of [branches, branchStates])
          for (const key of Object.keys(map)) map[key] = new Uint8Array(60).fill(1);
        branches["ab".repeat(16)] = new Uint8Array(60).fill(2);
      },
    );
    await stranger.acknowledged;
    for (const { space } of [first, second]) {
      await until("the forged entries are reported", [first, second], async () =>
        (await space.status()).notices.some((notice) => notice.includes("no member")),
      );
      expect((await space.branches.list()).map(({ name }) => name)).toEqual(["main", "renamed"]);
    }
  });
});

test("[RP25] a relay that sends garbage, or one document in another's place, harms nothing", async () => {
  await using world = await World.withRelay(132);
  const first = await world.found("first");
  await first.space.as({ agent: "a" }).remember({ content: "genuine" });
  const second = await world.join(first, "second");
  await converged(first, second);
  await second.replica.close();
  await first.space.as({ agent: "a" }).remember({ content: "later" });
  let swaps = 0;
  world.proxy.filter = (direction, frame) => {
    if (direction === "to-relay" || frame.type !== "entries") return true;
    swaps += 1;
    if (swaps % 2 === 1)
      return { ...frame, items: { form: "plain", inflatedBytes: 3, bytes: Uint8Array.from([1, 2, 3]) } };
    const items = itemsOf(frame);
    const ids = items.map(({ document }) => document);
    return withItems(
      frame,
      items.map((item, index) => ({ ...item, document: ids.at(-1 - index) ?? item.document })),
    );
  };
  const again = await world.reopen(second.home);
  await until("the relay has misbehaved", [again], () => swaps > 4);
  world.proxy.filter = () => true;
  world.proxy.cut();
  world.proxy.restore();
  await converged(first, again);
  expect(await contentsOf(again)).toEqual(["genuine", "later"]);
});
