import { expect, test } from "vitest";
import { converged, synced, World } from "../support/world.js";

test("[DV2] [DV3] a device is renamed for everyone, keeps its counts, and a closed space hears of it later", async () => {
  await using world = await World.withRelay(951);
  const first = await world.found("laptop");
  const second = await world.join(first, "laptop");
  await first.space.as({ agent: "bot" }).remember({ content: "Tea at four." });
  await converged(first, second);
  const names = async (device: typeof first) =>
    (await device.space.members.devices()).map(({ name }) => name);
  const digits = [first, second].map(({ replica }) => `laptop (${replica.id.slice(-4)})`);
  expect(await names(first)).toEqual(digits);
  expect(await names(second)).toEqual(digits.toReversed());

  await first.space.recall("tea");
  await second.replica.rename("  desk ");
  expect(second.replica.name).toBe("desk");
  await converged(first, second);
  expect(await names(first)).toEqual(["laptop", "desk"]);

  await expect(first.replica.rename("a\nb")).rejects.toMatchObject({ code: "BAD_INPUT" });
  await first.space[Symbol.asyncDispose]();
  await first.replica.rename("kitchen");
  const again = await first.replica.openSpace();
  await synced({ ...first, space: again });
  await converged({ ...first, space: again }, second);
  expect(await names(second)).toEqual(["desk", "kitchen"]);
  expect((await again.brief()).text).not.toContain("laptop");
});
