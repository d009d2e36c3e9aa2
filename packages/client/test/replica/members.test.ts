import { expect, test } from "vitest";
import { encodeInvitation, parseInvitation } from "../../src/sync/invitation.js";
import { createRelayToken, revokeRelayToken } from "../../src/sync/relay-http.js";
import { revokeRelayInvitation } from "../../src/sync/relay-invitations.js";
import { converged, type Device, synced, until, World } from "../support/world.js";

test("[DV6] [DV7] members and invitations are listed, and one is revoked by the name of its device", async () => {
  await using world = await World.withRelay(956);
  const first = await world.found("laptop");
  await first.space.as({ agent: "bot" }).remember({ content: "Tea at four." });
  const second = await world.join(first, "phone");
  await second.space.as({}).remember({ content: "From the phone." });
  await converged(first, second);
  const [own, phone] = await first.space.members.list();
  expect([own, phone]).toMatchObject([
    { name: "laptop", isThis: true, role: "admin", lastChangeAt: expect.any(Number) },
    { name: "phone", isThis: false, role: "write", lastChangeAt: expect.any(Number) },
  ]);
  expect(phone).toMatchObject({ invitation: expect.any(String), invitedBy: { replica: first.replica.id } });
  expect(phone).not.toHaveProperty("revokedAt");
  const { id } = { id: phone?.invitation ?? "" };
  const listed = (await first.space.members.invitations()).find((invitation) => invitation.id === id);
  expect(listed).toMatchObject({ role: "write", devices: ["phone"], by: { replica: first.replica.id } });

  // Nobody can join with the access that it made for itself.
  expect(await first.space.members.invitations()).toHaveLength(1);
  await expect(first.space.members.revoke("laptop")).rejects.toMatchObject({
    ...{ code: "BAD_INPUT", message: expect.stringContaining("its own access") },
  });

  const refused = { code: "ROLE_REFUSED" };
  await expect(first.space.as({ agent: "bot" }).members.revoke("phone")).rejects.toMatchObject(refused);
  await expect(second.space.members.invitations()).rejects.toMatchObject(refused);
  await expect(first.space.members.revoke("desk")).rejects.toMatchObject({ code: "BAD_INPUT" });
  expect(await first.space.members.revoke("phone")).toMatchObject({
    ...{ invitation: id, devices: ["phone"], keeping: [], closed: [], standing: [] },
  });
  expect((await first.space.members.list())[1]).toMatchObject({
    name: "phone",
    revokedAt: expect.any(Number),
  });
  await until("refused", [second], async () => (await second.space.status()).relay.state === "refused");
  expect((await first.space.members.invitations()).some((invitation) => invitation.id === id)).toBe(false);
  expect((await second.space.list()).memories).toHaveLength(2);
});

test("[AU10] the log names what was done about members: invited, kit made, role changed, revoked", async () => {
  await using world = await World.withRelay(957);
  const first = await world.found("laptop");
  const second = await world.join(first, "phone");
  await converged(first, second);
  const kit = await first.space.members.recoveryKit();
  await first.space.members.changeRole("phone", { role: "read" });
  await first.space.members.revoke("phone");
  await first.space.members.revoke(kit.id);
  const { entries } = await first.space.audit.list({});
  const about = ["invite", "recovery-kit", "change-role", "revoke"];
  const named = entries.map(({ operation }) => operation).filter((operation) => about.includes(operation));
  expect(named.toSorted()).toEqual(["change-role", "invite", "recovery-kit", "revoke", "revoke"]);
});

test("[DV26] what was cut short after the relay had ended an access is finished by the same call", async () => {
  await using world = await World.withRelay(961);
  const owner = await world.found("laptop");
  const devices: Device[] = [];
  for (const name of ["phone", "desk", "tablet"]) devices.push(await world.join(owner, name));
  await converged(owner, ...devices);
  const { id: space } = owner.space;
  const listed = await owner.space.members.list();
  const [phone, desk] = ["phone", "desk"].map((name) => listed.find((member) => member.name === name));
  await revokeRelayToken(world.access, { space, tokenId: phone?.access ?? "" });
  expect(await owner.space.members.revoke("phone")).toMatchObject({ devices: ["phone"] });
  const call = { invitation: desk?.invitation ?? "", withTokens: true };
  await revokeRelayInvitation(world.access, space, call);
  expect(await owner.space.members.revoke(call.invitation, { devices: true })).toMatchObject({
    devices: ["desk"],
    keeping: [],
  });
  const ended = (await owner.space.members.list()).filter(({ revokedAt }) => revokedAt !== undefined);
  expect(ended.map(({ name }) => name).toSorted()).toEqual(["desk", "phone"]);
  expect((await owner.space.status()).notices.join()).not.toContain("Invite each again");
  await expect(owner.space.members.revoke("phone")).rejects.toMatchObject({ code: "BAD_INPUT" });
});

test("[DV20] [DV21] [DV25] [CL113] each device has an access of its own: readers are listed, and one ends without the others", async () => {
  await using world = await World.withRelay(957);
  const owner = await world.found("laptop");
  await owner.space.as({}).remember({ content: "Tea at four." });
  await synced(owner);
  const invitation = await owner.space.invite({ role: "read", uses: 3 });
  const [one, two] = [await joined(world, "tablet", invitation), await joined(world, "kiosk", invitation)];
  await Promise.all([synced(one), synced(two)]);
  const [{ id = "" } = {}] = await owner.space.members.invitations();
  expect(await owner.space.members.invitations()).toMatchObject([
    { role: "read", usesLeft: 1, devices: ["kiosk", "tablet"], expiresAt: expect.any(Number) },
  ]);
  const readers = (await owner.space.members.list()).slice(1);
  expect(readers).toMatchObject([
    { name: "kiosk", role: "read", isConnected: true, invitation: id, replica: two.replica.id },
    { name: "tablet", role: "read", isConnected: true, invitation: id, replica: one.replica.id },
  ]);
  expect(new Set(readers.map(({ access }) => access)).size).toBe(2);
  expect(readers[0]?.invitedBy).toMatchObject({ replica: owner.replica.id });

  // A preview says the same beforehand, and ends nothing.
  const previews = [];
  for (const [of, devices] of [
    ["tablet", false],
    [id, false],
    [id, true],
  ] as const)
    previews.push(await owner.space.members.revoke(of, { preview: true, devices }));
  expect(previews).toMatchObject([
    { preview: true, devices: ["tablet"], keeping: ["kiosk"], invitation: id },
    { preview: true, devices: [], keeping: ["kiosk", "tablet"], invitation: id },
    { preview: true, devices: ["kiosk", "tablet"], keeping: [], invitation: id },
  ]);
  const revoked = await owner.space.members.revoke("tablet");
  expect({ ...revoked, preview: true }).toEqual(previews[0]);
  expect(revoked).toMatchObject({
    ...{ role: "read", devices: ["tablet"], keeping: ["kiosk"], invitation: id },
  });
  await until("refused", [one], async () => (await one.space.status()).relay.state === "refused");
  expect((await owner.space.members.list()).slice(1)).toMatchObject([
    { name: "kiosk", isConnected: true },
    { name: "tablet", role: "read", revokedAt: expect.any(Number), invitation: id },
  ]);
  // The invitation ended with it, so that it does not come back.
  expect(await owner.space.members.invitations()).toEqual([]);
  await expect(one.replica.joinSpace(invitation)).rejects.toMatchObject({
    ...{
      code: "TOKEN_REFUSED",
      message: expect.stringContaining("revoked"),
      hint: expect.stringContaining("invite"),
    },
  });
  await owner.space.as({}).remember({ content: "Biscuits." });
  await synced(owner);
  await until("the other reads on", [two], async () => (await two.space.list()).memories.length === 2);
  await expect(owner.space.members.revoke("tablet")).rejects.toMatchObject({ code: "BAD_INPUT" });
  expect(await owner.space.members.revoke(id, { devices: true })).toMatchObject({
    devices: ["kiosk"],
    invitation: id,
  });
  await until("refused", [two], async () => (await two.space.status()).relay.state === "refused");
});

test("[DV21] an invitation ends alone, and the next device stays out", async () => {
  await using world = await World.withRelay(958);
  const owner = await world.found("laptop");
  const invitation = await owner.space.invite({ role: "admin" });
  const other = await joined(world, "desk", invitation);
  await synced(other);
  const standing = await other.space.invite({ role: "read", expiresAt: null });
  await converged(owner, other);
  const [first, second] = await owner.space.members.invitations();
  expect([first, second]).toMatchObject([{ devices: ["desk"] }, { by: { replica: other.replica.id } }]);
  expect(second).not.toHaveProperty("expiresAt");
  expect(await owner.space.members.revoke(first?.id ?? "")).toMatchObject({ devices: [], keeping: ["desk"] });
  await expect(joined(world, "late", invitation)).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
  await other.space.as({}).remember({ content: "Still here." });
  await converged(owner, other);
  // What it left behind ends with it.
  expect(await owner.space.members.revoke("desk")).toMatchObject({
    devices: ["desk"],
    closed: [second?.id],
  });
  await expect(joined(world, "guest", standing)).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
});

test("[DV24] a device that joins again has another access, and is one member with what that allows", async () => {
  await using world = await World.withRelay(961);
  const owner = await world.found("laptop");
  await synced(owner);
  const phone = await joined(world, "phone", await owner.space.invite({ role: "write" }));
  await converged(owner, phone);
  const told = async () => (await phone.replica.spaces())[0];
  const first = await told();
  expect(first).toMatchObject({ role: "write", access: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(first).not.toHaveProperty("accessUntil");
  await owner.space.members.revoke("phone");
  await until("refused", [phone], async () => (await phone.space.status()).relay.state === "refused");

  for (const role of ["read", "write"] as const) {
    const before = await told();
    const accessUntil = Date.now() + 3_600_000;
    await phone.replica.joinSpace(await owner.space.invite({ role, accessUntil }));
    const after = await told();
    expect(after).toMatchObject({ role, accessUntil });
    expect(after?.access).not.toBe(before?.access);
    await until("in sync", [phone], async () => (await phone.space.status()).relay.state === "synced");
    // Who only reads cannot say in the catalog that it is back; the relay can.
    for (const one of [owner, phone]) {
      const listed = (await one.space.members.list()).filter(({ name }) => name.startsWith("phone"));
      expect(listed).toMatchObject([{ name: "phone", role }]);
      expect(listed[0]).not.toHaveProperty("revokedAt");
      if (one === owner) expect(listed[0]).toMatchObject({ expiresAt: accessUntil, isConnected: true });
    }
    if (role === "read") await owner.space.members.revoke("phone");
    if (role === "read")
      await until("refused", [phone], async () => (await phone.space.status()).relay.state === "refused");
  }
});

test("[DV22] an invitation that is used while the relay is away is traded when it returns", async () => {
  await using world = await World.withRelay(959);
  const owner = await world.found("laptop");
  await owner.space.as({}).remember({ content: "Tea at four." });
  await synced(owner);
  const invitation = await owner.space.invite({ role: "write" });
  world.proxy.cut();
  const late = await joined(world, "phone", invitation);
  await late.space.as({}).remember({ content: "Written before." });
  world.proxy.restore();
  await converged(owner, late);
  expect((await owner.space.members.list()).map(({ name }) => name)).toEqual(["laptop", "phone"]);
  const [, phone] = await owner.space.members.list();
  expect(phone).toMatchObject({ role: "write", isConnected: true, invitedBy: { replica: owner.replica.id } });
  // Joining again with the same link uses it no second time.
  await late.replica.joinSpace(invitation);
  expect(await owner.space.members.invitations()).toMatchObject([{ usesLeft: 99, devices: ["phone"] }]);
});

test("[DV23] invitations of earlier versions, and relays of earlier versions, do as they did", async () => {
  await using world = await World.withRelay(960);
  const owner = await world.found("laptop");
  const { id: space } = owner.space;
  const { token, tokenId } = await createRelayToken(world.access, { space, role: "write" });
  const { key } = parseInvitation(await owner.space.invite({ role: "write" }));
  const shared = encodeInvitation({ relay: world.proxy.url, space, token, key });
  const one = await joined(world, "phone", shared);
  await one.space.as({}).remember({ content: "From the phone." });
  await converged(owner, one);
  const listed = await owner.space.members.invitations();
  expect(listed.find(({ id }) => id === tokenId)).not.toHaveProperty("usesLeft");
  expect(await owner.space.members.revoke(tokenId)).toMatchObject({ invitation: tokenId });
  await until("refused", [one], async () => (await one.space.status()).relay.state === "refused");

  world.proxy.hides = /invitation|trade/;
  const plain = await owner.space.invite({ role: "write" });
  expect(parseInvitation(plain).token).toMatch(/^cambium_space_/);
  await expect(owner.space.invite({ role: "write", uses: 1 })).rejects.toMatchObject({ code: "BAD_INPUT" });
  const two = await joined(world, "desk", plain);
  await two.space.as({}).remember({ content: "From the desk." });
  await converged(owner, two);
  expect((await owner.space.members.list()).at(1)).toMatchObject({ name: "desk", role: "write" });
  expect(await owner.space.members.revoke("desk")).toMatchObject({ devices: ["desk"] });
});

async function joined(world: World, name: string, invitation: string): Promise<Device> {
  const home = world.newHome(name);
  const replica = await world.open(home);
  return { home, replica, space: await replica.joinSpace(invitation) };
}
