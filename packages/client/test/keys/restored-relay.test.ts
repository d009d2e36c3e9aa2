/** A relay that was restored from a backup knows nothing of removals since: the devices do. */
import { beforeAll, expect, test } from "vitest";
import { stretching } from "../../src/keys/pairing-code.js";
import { encodeInvitation, parseInvitation } from "../../src/sync/invitation.js";
import { createRelayToken } from "../../src/sync/relay-http.js";
import { listRelayInvitations, listRelayMembers } from "../../src/sync/relay-invitations.js";
import { contentsOf, converged, type Device, synced, until, World } from "../support/world.js";

beforeAll(() => {
  stretching.cost = { N: 1024, r: 8, p: 1 };
});

/** A device that has come by a code, which nobody ended. */
async function paired(world: World, by: Device, name: string): Promise<Device & { readonly link: string }> {
  const { link } = await by.space.members.pair({ role: "admin" });
  const home = world.newHome(name);
  const replica = await world.open(home);
  return { home, replica, space: await replica.pairSpace(link), link };
}

test("[KE16] who came by a code or an invitation that is used up gets no key that is begun when they are removed", async () => {
  await using world = await World.withRelay(993);
  const first = await world.found("laptop");
  const phone = await paired(world, first, "phone");
  const once = await first.space.invite({ role: "write", uses: 1 });
  const home = world.newHome("tablet");
  const replica = await world.open(home);
  const tablet = { home, replica, space: await replica.joinSpace(once) };
  await converged(first, phone, tablet);
  await first.space.members.revoke("phone");
  await first.space.members.revoke("tablet");
  await first.space.as({}).remember({ content: "After: the safe is behind the door." });
  await synced(first);
  // A relay that helps them gives each a token, and with it every byte.
  const { relay, space, key } = parseInvitation(once);
  for (const [epoch, gone] of [phone, tablet].entries()) {
    const { token } = await createRelayToken(world.access, { space: first.space.id, role: "admin" });
    await gone.replica.joinSpace(encodeInvitation({ relay, space, token, key }));
    await until("it has all", [gone], async () => (await gone.space.status()).relay.state === "synced");
    expect(await contentsOf(gone)).toEqual([]);
    expect((await gone.space.status()).key).toMatchObject({ epoch });
  }
}, 60_000);

test("[KE16] codes and invitations that a device has made end with it, also a code that nobody has used yet", async () => {
  await using world = await World.withRelay(995);
  const first = await world.found("laptop");
  const phone = await world.join(first, "phone", { role: "admin" });
  await converged(first, phone);
  const invitation = await phone.space.invite({ role: "admin" });
  const pairing = await phone.space.members.pair({ role: "admin" });
  await converged(first, phone);
  const preview = await first.space.members.revoke("phone", { preview: true });
  expect(preview.closed).toHaveLength(2);
  const { closed } = await first.space.members.revoke("phone");
  expect(closed).toEqual(preview.closed);
  expect(closed).toContain(pairing.invitation);
  expect(await first.space.members.invitations()).toEqual([]);
  const late = await world.open(world.newHome("late"));
  await expect(late.pairSpace(pairing.link)).rejects.toThrow("knows no such code");
  await expect(late.joinSpace(invitation)).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
}, 60_000);

test("[KE17] a relay that was set back is told again whose access had ended, by an admin's device, before they know more", async () => {
  await using world = await World.withRelay(994);
  const first = await world.found("laptop");
  const phone = await paired(world, first, "phone");
  const other = await world.join(first, "desk", { role: "admin" });
  await converged(first, phone, other);
  const backup = `${world.relayDir}-backup`;
  await world.restartRelay(() => world.copy(world.relayDir, backup));
  await converged(first, phone, other);
  await first.space.members.revoke("phone");
  await first.space.as({}).remember({ content: "After: the safe is behind the door." });
  await converged(first, other);
  // Who removed it is away; another admin knows of it.
  await first.space.sync.stop();
  await world.restartRelay(() => world.copy(backup, world.relayDir));
  await synced(other);
  const atRelay = async () => {
    const asked = { ...world.access };
    const invitations = await listRelayInvitations(asked, first.space.id);
    const members = await listRelayMembers(asked, first.space.id);
    return members.length + invitations.length;
  };
  await expect.poll(atRelay).toBe(3); // two devices, and the invitation of the desk
  const told = async () => (await other.space.status()).notices.join();
  await expect.poll(told).toContain("been ended (phone)");
  const { entries } = await other.space.audit.list({});
  expect(JSON.stringify(entries)).toContain("forgotten");
  await phone.replica.close();
  const back = await world.reopen(phone.home);
  await expect.poll(async () => (await back.space.status()).relay.state).toBe("refused");
  await expect(back.replica.pairSpace(phone.link)).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
  expect(await contentsOf(back)).toEqual([]);
}, 60_000);
