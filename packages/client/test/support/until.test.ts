import { expect, test } from "vitest";
import { until, World } from "./world.js";

test("what becomes so without an event of a device and without a frame is seen", async () => {
  await using world = new World(1);
  const device = await world.found();
  let looked = 0;
  await until("it has been looked at three times", [device], () => {
    looked += 1;
    return looked === 3;
  });
  expect(looked).toBe(3);
});
