import { expect, test } from "vitest";
import { contentsOf, converged, synced, World } from "../support/world.js";

const HOUR_MS = 3_600_000;
const at = (time: number): string => `@${new Date(time).toISOString()}`;

test("[RP19] a clock three hours off is corrected by the relay's, also for what was written before", async () => {
  await using world = await World.withRelay(90);
  const first = await world.found("first");
  await first.space.as({ agent: "a" }).remember({ content: "on time" });
  await synced(first);
  const fast = () => world.clock.now() + 3 * HOUR_MS;
  const second = await world.join(first, "second", { clock: fast, connect: false });
  world.clock.advance(1_000);
  const early = await second.space.as({ agent: "b" }).remember({ content: "by the fast clock" });
  expect(early.at - world.clock.now()).toBeGreaterThan(2 * HOUR_MS);
  world.clock.advance(60_000);
  const meanwhile = world.clock.now();
  world.clock.advance(60_000);

  second.space.sync.start();
  await converged(first, second);
  const late = await second.space.as({ agent: "b" }).remember({ content: "corrected" });
  expect(Math.abs(late.at - world.clock.now())).toBeLessThan(1_000);
  expect((await second.space.status()).notices.join()).toMatch(/clock is off by -180 minutes/);
  await converged(first, second);

  for (const device of [first, second]) {
    const then = (await device.space.list({ at: at(meanwhile) })).memories.map(({ content }) => content);
    expect(then.sort()).toEqual(["by the fast clock", "on time"]);
    expect((await device.space.list({ at: at(early.at) })).memories).toHaveLength(3);
    expect(await contentsOf(device)).toHaveLength(3);
  }
  await second.replica.close();
  const again = await world.reopen(second.home, { clock: fast });
  await synced(again);
  expect((await again.space.status()).notices).toEqual([]);
  const after = await again.space.as({ agent: "b" }).remember({ content: "still corrected" });
  expect(Math.abs(after.at - world.clock.now())).toBeLessThan(1_000);
});

test("[RP19] a clock within two minutes of the relay's is left alone", async () => {
  await using world = await World.withRelay(91);
  const first = await world.found("first");
  const second = await world.join(first, "second", { clock: () => world.clock.now() + 100_000 });
  await converged(first, second);
  expect((await second.space.status()).notices).toEqual([]);
  const { at: time } = await second.space.as({ agent: "b" }).remember({ content: "by its own clock" });
  expect(time - world.clock.now()).toBeGreaterThan(90_000);
});
