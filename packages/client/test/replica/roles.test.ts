/** What a device may do changes in place. */
import { expect, test } from "vitest";
import { contentsOf, converged, type Device, synced, until, World } from "../support/world.js";

const roleOf = async (at: Device, name: string) =>
  (await at.space.members.list()).find((member) => member.name === name)?.role;

const becomes = (device: Device, role: string) =>
  until(`the role ${role}`, [device], async () => device.space.role === role);

test("[DV27] a device that may only read from now on keeps what it has, and its writes wait", async () => {
  await using world = await World.withRelay(971);
  const owner = await world.found("laptop");
  const phone = await world.join(owner, "phone");
  await phone.space.as({}).remember({ content: "Written while it might." });
  await converged(owner, phone);
  await phone.space.sync.stop();
  await phone.space.as({}).remember({ content: "Not sent yet." });
  const invitation = (await owner.space.members.invitations())[0]?.id;
  const preview = await owner.space.members.changeRole("phone", { role: "read", preview: true });
  expect(preview).toMatchObject({ name: "phone", before: "write", role: "read", invitation, preview: true });
  expect(await roleOf(owner, "phone")).toBe("write");

  const { preview: _, ...would } = preview;
  expect(await owner.space.members.changeRole("phone", { role: "read" })).toEqual(would);
  expect(await roleOf(owner, "phone")).toBe("read");
  expect(await owner.space.members.invitations()).toEqual([]);
  phone.space.sync.start();
  await becomes(phone, "read");
  await expect(phone.space.as({}).remember({ content: "no" })).rejects.toMatchObject({
    code: "ROLE_REFUSED",
  });
  await owner.space.as({}).remember({ content: "From the owner." });
  await until("it reads on", [owner, phone], async () => (await contentsOf(phone)).length === 3);
  await synced(owner);
  expect((await contentsOf(owner)).toSorted()).toEqual(["From the owner.", "Written while it might."]);

  await owner.space.members.changeRole("phone", { role: "write" });
  await becomes(phone, "write");
  await converged(owner, phone);
  expect((await contentsOf(owner)).toSorted()).toEqual([
    ...["From the owner.", "Not sent yet.", "Written while it might."],
  ]);
});

test("[DV27] a reader that may write says its name in the space, and others see what it may do", async () => {
  await using world = await World.withRelay(972);
  const owner = await world.found("laptop");
  const desk = await world.join(owner, "desk");
  const tablet = await world.join(owner, "tablet", { role: "read" });
  await converged(owner, desk, tablet);
  expect((await desk.space.members.devices()).map(({ name }) => name)).not.toContain("tablet");
  await owner.space.members.changeRole("tablet", { role: "write" });
  await becomes(tablet, "write");
  await tablet.space.as({}).remember({ content: "From the tablet." });
  await converged(owner, desk, tablet);
  expect(await contentsOf(desk)).toEqual(["From the tablet."]);
  expect((await desk.space.members.devices()).map(({ name }) => name)).toContain("tablet");
  expect(await roleOf(owner, "tablet")).toBe("write");

  await owner.space.members.changeRole("desk", { role: "read" });
  await becomes(desk, "read");
  await converged(owner, tablet);
  expect(await roleOf(tablet, "desk")).toBe("read");
});

test("[DV27] only an admin may, never an agent, and nobody for itself; a key is had by whoever may read", async () => {
  await using world = await World.withRelay(973);
  const owner = await world.found("laptop");
  const phone = await world.join(owner, "phone");
  await phone.space.as({}).remember({ content: "Here." });
  await converged(owner, phone);
  const [refused, bad] = [{ code: "ROLE_REFUSED" }, { code: "BAD_INPUT" }];
  const { members } = owner.space;
  await expect(
    owner.space.as({ agent: "bot" }).members.changeRole("phone", { role: "read" }),
  ).rejects.toMatchObject(refused);
  await expect(phone.space.members.changeRole("laptop", { role: "read" })).rejects.toMatchObject(refused);
  await expect(members.changeRole("laptop", { role: "read" })).rejects.toMatchObject(bad);
  await expect(members.changeRole("desk", { role: "read" })).rejects.toMatchObject(bad);
  await members.recoveryKit();
  await expect(members.changeRole("recovery kit", { role: "read" })).rejects.toMatchObject(bad);

  await members.changeRole("phone", { role: "admin" });
  await becomes(phone, "admin");
  const made = await phone.space.invite({ role: "write" });
  expect(made).toContain("#");
  await converged(owner, phone);
  const theirs = (await members.invitations()).filter(({ by }) => by?.replica === phone.replica.id);
  const [id] = theirs.map((invitation) => invitation.id);
  expect(id).toBeDefined();
  expect(await members.changeRole("phone", { role: "read" })).toMatchObject({ standing: [id] });
  await becomes(phone, "read");
  const third = await world.join(owner, "third");
  await converged(owner, third);
  await members.revoke("third");
  await owner.space.as({}).remember({ content: "Under a new key." });
  await until("it reads under the new key", [owner, phone], async () =>
    (await contentsOf(phone)).includes("Under a new key."),
  );
});
