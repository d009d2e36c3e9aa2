import { expect, test } from "vitest";
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
