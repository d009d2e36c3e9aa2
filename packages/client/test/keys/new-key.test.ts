import { expect, test } from "vitest";
import { encodeInvitation, parseInvitation } from "../../src/sync/invitation.js";
import { createRelayToken } from "../../src/sync/relay-http.js";
import { contentsOf, converged, type Device, synced, until, World } from "../support/world.js";

const keyOf = async ({ space }: Device) => (await space.status()).key;

test("[KE4] [KE5] [KE6] whoever is removed reads nothing written after, even if the relay gives it everything", async () => {
  await using world = await World.withRelay(971);
  const first = await world.found("laptop");
  await first.space.as({}).remember({ content: "Before." });
  const gone = await world.join(first, "phone");
  const away = await world.join(first, "desk");
  const reader = await world.join(first, "kiosk", { role: "read" });
  await converged(first, gone, away, reader);
  const waiting = await first.space.invite({ role: "admin" });
  await synced(first);
  await away.replica.close();
  expect(await keyOf(first)).toEqual({ epoch: 0, waiting: [], without: [] });

  const preview = await first.space.members.revoke("phone", { preview: true });
  const key = { epoch: 1, given: expect.arrayContaining(["desk", "kiosk", "laptop"]), without: [] };
  expect(preview).toMatchObject({ preview: true, key });
  expect(await keyOf(first)).toMatchObject({ epoch: 0 });
  expect(await first.space.members.revoke("phone")).toMatchObject({ devices: ["phone"], key });
  expect(await keyOf(first)).toMatchObject({ epoch: 1, waiting: ["desk"], without: [] });
  await first.space.as({}).remember({ content: "After: the safe is behind the door." });
  await synced(first);

  // One that was away writes under the old key before it hears of the new one. Nothing is lost.
  const offline = await world.reopen(away.home, { connect: false });
  await offline.space.as({}).remember({ content: "Written offline." });
  await offline.replica.close();
  const back = await world.reopen(away.home);
  // An invitation that was made before still brings in, with all keys.
  const late = await world.open(world.newHome("tablet"));
  const joined = { home: world.newHome("unused"), replica: late, space: await late.joinSpace(waiting) };
  await converged(first, back, reader, joined);
  expect(await contentsOf(joined)).toHaveLength(3);
  expect((await contentsOf(reader)).some((text) => text.startsWith("After"))).toBe(true);
  await until(
    "all have said so",
    [first, back, joined],
    async () => (await keyOf(first)).waiting.length === 0,
  );
  await joined.space.as({}).remember({ content: "From the tablet." });
  await converged(first, back, reader, joined);

  // Another one goes, while all are there.
  expect(await joined.space.members.revoke("desk")).toMatchObject({ key: { epoch: 2, without: [] } });
  await first.space.as({}).remember({ content: "Later still." });
  await converged(first, reader, joined);
  await until(
    "the laptop has said so",
    [first, joined],
    async () => (await keyOf(joined)).waiting.length === 0,
  );

  // A relay that helps gives the removed device a token, and with it every byte.
  const { token } = await createRelayToken({ ...world.access }, { space: first.space.id, role: "write" });
  const { relay, space, key: firstKey } = parseInvitation(waiting);
  await gone.replica.joinSpace(encodeInvitation({ relay, space, token, key: firstKey }));
  await until("it has everything", [gone], async () => (await gone.space.status()).relay.state === "synced");
  expect((await contentsOf(gone)).toSorted()).toEqual(["Before.", "Written offline."]);
  expect((await gone.space.status()).key).toMatchObject({ epoch: 0, lacking: 1 });
  expect((await gone.space.status()).notices.join()).toContain("not given key 1");
  await late.close();
}, 60_000);

test("[KE4] a removal that is tried again, because the relay did not answer, keeps the key that it began", async () => {
  await using world = await World.withRelay(977);
  const first = await world.found("laptop");
  const phone = await world.join(first, "phone");
  await world.join(first, "desk");
  await converged(first, phone);
  world.proxy.stops = "DELETE";
  const epochs: (number | undefined)[] = [];
  for (const _ of [1, 2]) {
    await expect(first.space.members.revoke("phone")).rejects.toMatchObject({ code: "RELAY_UNREACHABLE" });
    epochs.push((await keyOf(first)).epoch);
  }
  world.proxy.stops = undefined;
  const preview = await first.space.members.revoke("phone", { preview: true });
  const done = await first.space.members.revoke("phone");
  expect([...epochs, preview.key?.epoch, done.key?.epoch]).toEqual([1, 1, 1, 1]);
  expect(done.key).toMatchObject({ given: expect.arrayContaining(["desk", "laptop"]) });
  // Somebody else goes: that is another key.
  expect(await first.space.members.revoke("desk")).toMatchObject({ key: { epoch: 2 } });
});

test("[KE7] who is invited after a removal reads what was written under every key", async () => {
  await using world = await World.withRelay(972);
  const first = await world.found("laptop");
  const phone = await world.join(first, "phone");
  await first.space.as({}).remember({ content: "One." });
  await converged(first, phone);
  await first.space.members.revoke("phone");
  await first.space.as({}).remember({ content: "Two." });
  const desk = await world.join(first, "desk");
  await converged(first, desk);
  await first.space.members.revoke("desk");
  await first.space.as({}).remember({ content: "Three." });
  const again = await world.join(first, "phone two");
  await converged(first, again);
  expect((await contentsOf(again)).toSorted()).toEqual(["One.", "Three.", "Two."]);
  expect((await again.space.status()).key).toMatchObject({ epoch: 2, waiting: [], without: [] });
  // Of a device that starts again, nothing is asked anew.
  await again.replica.close();
  const reopened = await world.reopen(again.home, { connect: false });
  expect(await contentsOf(reopened)).toHaveLength(3);
}, 60_000);
