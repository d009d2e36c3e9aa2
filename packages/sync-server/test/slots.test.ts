import { expect, test } from "vitest";
import { Slots } from "../src/sessions/slots.js";
import { documentHex } from "./support/change-maker.js";

const slot = (number: number, byte = 1) => ({ replica: documentHex(number), bytes: Uint8Array.of(byte) });

test("[RL94] a token has room for some replicas, and takes none from others", () => {
  const slots = new Slots();
  slots.put("s", "honest", slot(1));
  for (let replica = 2; replica < 5_000; replica += 1) slots.put("s", "hostile", slot(replica));
  slots.put("s", "honest", slot(1, 2));
  expect(slots.of("s")).toHaveLength(17);
  expect(slots.of("s")).toContainEqual(slot(1, 2));
  expect(slots.of("s")).toContainEqual(slot(4_999));
  expect(slots.of("other")).toEqual([]);
});

test("[RL94] a space has room for a thousand; whoever has most gives way", () => {
  const slots = new Slots();
  slots.put("s", "honest", slot(1));
  for (let token = 0; token < 200; token += 1)
    for (let replica = 0; replica < 16; replica += 1) slots.put("s", `hostile ${token}`, slot(2 + replica));
  expect(slots.of("s")).toHaveLength(1_024);
  expect(slots.of("s")).toContainEqual(slot(1));
});
