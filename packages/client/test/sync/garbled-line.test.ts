/** A line that alters what passes, and is sound again later without having been cut. */
import { describe, expect, test } from "vitest";
import { type Direction, type FrameFilter, itemsOf, withItems } from "../support/relay-proxy.js";
import { seededBytes } from "../support/seeded.js";
import { contentsOf, converged, numbered, World } from "../support/world.js";

const GARBLED = 12;

/** Turns a bit of what some of the first frames carry that go one way. */
function garbling(seed: number, way: Direction): FrameFilter {
  const random = seededBytes(seed);
  const draw = (below: number): number => ((random(1)[0] ?? 0) * 256 + (random(1)[0] ?? 0)) % below;
  let left = GARBLED;
  return (direction, frame) => {
    const items = itemsOf(frame);
    if (direction !== way || left === 0 || items.length === 0 || draw(3) > 0) return true;
    left -= 1;
    const altered = items.map((item) => {
      if (item.kind !== "change") return { ...item, document: "ab".repeat(16) };
      const turned = item.chunk.slice();
      const at = draw(turned.length);
      turned[at] = (turned[at] ?? 0) ^ (1 << draw(8));
      return { ...item, chunk: turned };
    });
    return withItems(frame, altered);
  };
}

describe.each(["from-relay", "to-relay"] as const)("%s", (way) => {
  test("[NW21] what was garbled comes again once the line is sound", async () => {
    await using world = await World.withRelay(401);
    const first = await world.found("first");
    const second = await world.join(first, "second");
    await converged(first, second);
    world.proxy.filter = garbling(way === "to-relay" ? 3 : 4, way);
    for (const content of numbered(30, "kept")) {
      const writer = content.endsWith("7") ? second : first;
      await writer.space.as({ agent: "a" }).remember({ content: `${content}, with some words to carry` });
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const { space } of [first, second]) {
      await expect.poll(async () => (await space.status()).branch.memories, { timeout: 15_000 }).toBe(30);
      await space.sync.whenSynced();
    }
    expect(await contentsOf(first)).toEqual(await contentsOf(second));
    for (const { space } of [first, second]) expect((await space.verify()).ok).toBe(true);
  });
});
