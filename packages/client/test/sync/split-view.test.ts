/** A relay that shows each device another history. */
import { expect, test } from "vitest";
import { Liar } from "../support/liar.js";
import { tradedToken } from "../support/stranger.js";
import { contentsOf, converged, type Device, synced, until, World } from "../support/world.js";

const withheldOf = async ({ space }: Device) => (await space.sync.status()).withheld ?? [];

/** Whether a device says so: by whom it was seen, and since when. */
async function isTold(device: Device, by: Device, since: number): Promise<boolean> {
  const { notices, withheld } = await device.space.status();
  const told = withheld?.find((one) => one.by === by.replica.id);
  return (
    told !== undefined &&
    told.changes > 0 &&
    told.since >= since &&
    notices.some((notice) => notice.startsWith(`${by.home.name} has seen `))
  );
}

test("[RL153] devices that are shown different logs are told by what passes from one to the other, and show all once it ends", async () => {
  await using world = await World.withRelay(1530);
  const first = await world.found("first");
  const ann = first.space.as({ agent: "ann" });
  await ann.remember({ content: "both" });
  const work = await ann.branches.create("work");
  const second = await world.join(first, "second");
  await converged(first, second);
  const ben = second.space.as({ agent: "ben" });
  const token = await tradedToken(await first.space.invite({ role: "write" }));
  await synced(first);

  const [, secondAccess] = world.proxy.authorizations;
  const other = await world.splitRelay();
  const since = world.clock.now();
  const split = (isSplit: boolean): void => {
    world.proxy.targetOf = (access) => (isSplit && access === secondAccess ? other.url : undefined);
    world.proxy.cut();
    world.proxy.restore();
  };
  split(true);
  await ann.remember({ content: "shown to the first" });
  await ben.remember({ content: "shown to the second" });
  await Promise.all([synced(first), synced(second)]);
  // As long as nothing passes, each is as if the other were switched off.
  expect([await withheldOf(first), await withheldOf(second)]).toEqual([[], []]);
  world.clock.advance(120_000);
  await ben.remember({ content: "second on work" }, { branch: "work" } as never);
  await synced(second);
  const access = { token, space: first.space.id };
  await using toFirst = new Liar({ ...access, url: world.relay.url });
  await using toSecond = new Liar({ ...access, url: other.url });
  await toFirst.put(work.id, (await toSecond.changesOf(work.id)).slice(-1));
  await until("the first device is told", [first], () => isTold(first, second, since));

  world.clock.advance(120_000);
  await ann.remember({ content: "first on work" }, { branch: "work" } as never);
  await synced(first);
  await toSecond.put(work.id, (await toFirst.changesOf(work.id)).slice(-1));
  await until("the second device is told", [second], () => isTold(second, first, since));

  split(false);
  await converged(first, second);
  await until("nothing is held back", [first, second], async () => {
    return (await withheldOf(first)).length + (await withheldOf(second)).length === 0;
  });
  for (const device of [first, second]) {
    expect(await contentsOf(device)).toEqual(["both", "shown to the first", "shown to the second"]);
    expect(await contentsOf(device, "work")).toEqual(["both", "first on work", "second on work"]);
  }
});
