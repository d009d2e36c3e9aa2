import { expect, test } from "vitest";
import { seededBytes } from "../support/seeded.js";
import { synced, until, World } from "../support/world.js";

test("[RO15] what a full space's relay does not take stays here, is told once, and goes when there is room", async () => {
  await using world = new World(61);
  let refusals = 0;
  const relay = await world.startRelay({
    limits: { documentsPerSpace: 3 },
    onEvent: ({ type }) => {
      if (type === "quota-exceeded") refusals += 1;
    },
  });
  const device = await world.found();
  await device.space.as({ agent: "a" }).remember({ content: "stored" });
  await synced(device);
  await device.space.branches.create("side");
  const told = async (): Promise<readonly string[]> =>
    (await device.space.status()).notices.filter((notice) => notice.includes("at most 3 documents"));
  await until("the refusal is told", [device], async () => (await told()).length > 0);
  expect(await told()).toHaveLength(1);
  // It did not try again and again.
  expect(refusals).toBe(1);
  expect((await device.space.status()).relay).toMatchObject({
    ...{ state: "pending", reason: expect.stringContaining("at most 3 documents") },
  });
  // Whoever waits hears it at once, and each time it is asked.
  const full = { code: "QUOTA_EXCEEDED", hint: expect.stringContaining("more room") };
  await expect(synced(device)).rejects.toMatchObject(full);
  await expect(synced(device)).rejects.toMatchObject(full);
  const { port } = relay;
  await relay.close();
  await world.startRelay({ port });
  await synced(device);
  expect((await device.space.status()).relay).not.toHaveProperty("reason");
});

test("[RO22] [ER24] of a full space something can be erased, and what waited goes into the room of that", async () => {
  await using world = new World(62);
  const bytesPerSpace = 45_000;
  await world.startRelay({ limits: { bytesPerSpace } });
  const device = await world.found();
  const { id } = await device.space.as({}).remember({ content: noise(20_000) });
  await synced(device);
  await device.space.as({}).remember({ content: "Does not fit with what follows." });
  await device.space.as({}).remember({ content: noise(20_000) });
  const full = { code: "QUOTA_EXCEEDED" };
  await expect(synced(device)).rejects.toMatchObject(full);
  await device.space.as({ confirmed: true }).erase({ ids: [id] });
  await synced(device);
  expect(await device.space.erasures()).toMatchObject([{ relay: "destroyed" }]);
  // What is written later may not exceed it again.
  await device.space.as({}).remember({ content: noise(20_000) });
  await expect(synced(device)).rejects.toMatchObject(full);
});

/** Text that does not compress to much less. */
const noise = (length: number): string => Buffer.from(seededBytes(length)(length)).toString("base64");
