import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isCambiumError } from "@cambium/core";
import { expect, test } from "vitest";
import type { Space } from "../../src/api.js";
import { allSynced, type Device, synced, World } from "../support/world.js";

const owner = (space: Space) => space.as({ role: "owner", confirmed: true });

async function requestOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (!isCambiumError(error, "APPROVAL_NEEDED")) throw error;
  return String(error.details?.request);
}

const stateOf = async ({ space }: Device, request: string): Promise<string> =>
  (await owner(space).requests.get(request)).state;

/** What comes while this runs is taken in, and no request can be closed: as if it were cut short just before. */
async function withoutClosing(world: World, { home, replica, space }: Device): Promise<void> {
  await replica.close();
  const audit = join(home.dir, "spaces", space.id, "audit");
  renameSync(audit, `${audit}-away`);
  writeFileSync(audit, "no directory");
  const device = await world.reopen(home);
  await synced(device);
  await device.replica.close();
  rmSync(audit);
  renameSync(`${audit}-away`, audit);
  expect(readdirSync(audit).length).toBeGreaterThan(0);
}

test("[ER68] cut short between what the owner hid or showed and the closing, the next start closes the request", async () => {
  await using world = await World.withRelay(41);
  const laptop = await world.found("laptop");
  let desk = await world.join(laptop, "desk");
  const bot = () => desk.space.as({ agent: "bot" });
  const { id } = await bot().remember({ content: "The surprise party is on Friday" });
  const tea = await bot().remember({ content: "Ada drinks tea" });
  await allSynced(desk, laptop);
  for (const verb of ["conceal", "reveal"] as const) {
    // Asked for where the laptop cannot know of it: else it closes the request itself.
    await desk.space.sync.stop();
    const request = await requestOf(bot()[verb]([id]));
    const never = await requestOf(
      verb === "conceal" ? bot().conceal([id, tea.id]) : bot().reveal([id.replace(/^./, "f")]),
    );
    await owner(laptop.space)[verb]([id]);
    await synced(laptop);
    await withoutClosing(world, desk);
    desk = await world.reopen(desk.home, { connect: false });
    expect(await owner(desk.space).concealed()).toHaveLength(verb === "conceal" ? 1 : 0);
    await expect.poll(() => stateOf(desk, request), { timeout: 20_000 }).toBe("approved");
    expect(await stateOf(desk, never)).toBe("open");
    const noted = async () => (await desk.space.audit.list({ operation: "approve" })).entries;
    await expect
      .poll(noted)
      .toContainEqual(expect.objectContaining({ request, role: "owner", trigger: "sync" }));
    await desk.replica.close();
    desk = await world.reopen(desk.home);
    await allSynced(desk, laptop);
    expect(await stateOf(laptop, request)).toBe("approved");
  }
}, 60_000);
