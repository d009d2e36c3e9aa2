import { expect, test } from "vitest";
import { converged, until, World } from "../support/world.js";

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

  const ownAccess = (await first.space.members.invitations()).find(({ devices }) =>
    devices.includes("laptop"),
  );
  expect(ownAccess).toMatchObject({ role: "admin", by: { replica: first.replica.id } });
  await expect(first.space.members.revoke("laptop")).rejects.toMatchObject({
    ...{ code: "BAD_INPUT", message: expect.stringContaining("its own access") },
  });

  const refused = { code: "ROLE_REFUSED" };
  await expect(first.space.as({ agent: "bot" }).members.revoke("phone")).rejects.toMatchObject(refused);
  await expect(second.space.members.invitations()).rejects.toMatchObject(refused);
  await expect(first.space.members.revoke("desk")).rejects.toMatchObject({ code: "BAD_INPUT" });
  expect(await first.space.members.revoke("phone")).toMatchObject({ id, devices: ["phone"] });
  expect((await first.space.members.list())[1]).toMatchObject({
    name: "phone",
    revokedAt: expect.any(Number),
  });
  await until("refused", [second], async () => (await second.space.status()).relay.state === "refused");
  expect((await first.space.members.invitations()).some((invitation) => invitation.id === id)).toBe(false);
  expect((await second.space.list()).memories).toHaveLength(2);
});
