/** What devices are called, put into answers that are more than lists. */
import type { Replica, Space } from "@cambium/client";
import { expect, test } from "vitest";
import { withDeviceNames } from "../../src/operations/device-names.js";

test("[RK11] an answer of recall keeps its certainty and its advice beside the names of devices", async () => {
  const recalled = Object.defineProperties([{ by: { replica: "r1" } }], {
    certainty: { value: "weak" },
    advice: { value: ["Try other words."] },
  });
  const space = {
    recall: () => Promise.resolve(recalled),
    members: { devices: () => Promise.resolve([{ replica: "r1", name: "desk" }]) },
  };
  const replica = withDeviceNames({
    openSpace: () => Promise.resolve(space as unknown as Space),
  } as unknown as Replica);
  const answer = await (await replica.openSpace()).recall("tea");
  expect([...answer]).toEqual([{ by: { replica: "r1", device: "desk" } }]);
  expect([answer.certainty, answer.advice]).toEqual(["weak", ["Try other words."]]);
});
