import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newPairingCode, pairingSecretOf, stretching } from "../../src/keys/pairing-code.js";
import { leaveParcel } from "../../src/sync/parcels.js";
import { seededBytes } from "../support/seeded.js";
import { contentsOf, converged, World } from "../support/world.js";

const USUAL = stretching.cost;
beforeAll(() => {
  stretching.cost = { N: 1024, r: 8, p: 1 };
});

test("[PR1] a code is read in small letters, without lines, and with O and l; a mistyped one is refused at once", async () => {
  expect(USUAL).toEqual({ N: 131_072, r: 8, p: 1 });
  const random = seededBytes(3);
  for (let count = 0; count < 10; count += 1) {
    const code = newPairingCode(random);
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
    const { token } = await pairingSecretOf(code);
    const typed = code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l");
    expect((await pairingSecretOf(typed)).token).toBe(token);
    const wrong = (code.startsWith("A") ? "B" : "A") + code.slice(1);
    await expect(pairingSecretOf(wrong)).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: expect.stringContaining("A character of this pairing code is wrong"),
    });
    await expect(pairingSecretOf(code.slice(1))).rejects.toThrow("has 16 letters and digits");
  }
});

test("[PR2] [PR3] who has the code joins with its role, once; both know the other, and nothing of it is left", async () => {
  await using world = await World.withRelay(991);
  const first = await world.found("laptop");
  await first.space.as({}).remember({ content: "Tea at four." });
  const pairing = await first.space.members.pair({ role: "admin" });
  expect(pairing.link).toBe(`${world.access.url}/pair#${pairing.code}`);
  expect(await first.space.members.paired(pairing)).toBeUndefined();
  expect((await first.space.members.list()).map(({ name }) => name)).toEqual(["laptop"]);

  const home = world.newHome("phone");
  const replica = await world.open(home);
  await expect(replica.pairSpace(pairing.code)).rejects.toThrow("does not say where the relay is");
  const phone = { home, replica, space: await replica.pairSpace(pairing.link) };
  await converged(first, phone);
  expect(await contentsOf(phone)).toEqual(["Tea at four."]);
  expect(await first.space.members.paired(pairing)).toMatchObject({ name: "phone", role: "admin" });
  const own = (await phone.space.members.list()).find(({ isThis }) => isThis);
  expect(own?.invitedBy?.replica).toBe(first.space.replica);
  // Another device that saw the code comes too late, also before it was ended.
  const late = await world.open(world.newHome("late"));
  await expect(late.pairSpace(pairing.link)).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
  await first.space.members.endPairing(pairing);
  await first.space.members.endPairing(pairing);
  await expect(late.pairSpace(pairing.link)).rejects.toThrow("knows no such code");
  expect((await first.space.members.list()).map(({ name }) => name)).toEqual(["laptop", "phone"]);
  expect(await first.space.members.invitations()).toEqual([]);

  // Ten minutes, and no more.
  const slow = await phone.space.members.pair();
  world.clock.advance(10 * 60_000 + 1);
  await expect(late.pairSpace(slow.link)).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
  // One that was ended before anybody came.
  const cancelled = await phone.space.members.pair();
  await phone.space.members.endPairing(cancelled);
  await expect(late.pairSpace(cancelled.code, { relay: world.access.url })).rejects.toMatchObject({
    code: "TOKEN_REFUSED",
  });
}, 60_000);

test("[PR4] the relay has neither code nor key, and cannot put something else in the place of what was left", async () => {
  await using world = await World.withRelay(992);
  const first = await world.found("laptop");
  const pairing = await first.space.members.pair();
  const settings = join(first.home.dir, "spaces", first.space.id, "space.json");
  const { key } = JSON.parse(readFileSync(settings, "utf8")) as { key: string };
  const { token } = await pairingSecretOf(pairing.code);
  const stored = globSync("**/*", { cwd: world.relayDir, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name)));
  const secrets = [pairing.code, pairing.code.replaceAll("-", ""), token, key, "cambium_invite_"];
  for (const secret of [...secrets.map((text) => Buffer.from(text)), Buffer.from(key, "base64url")])
    expect(stored.some((bytes) => bytes.includes(secret))).toBe(false);
  expect(stored.some((bytes) => bytes.includes(pairing.access))).toBe(true);

  await first.space.members.endPairing(pairing);
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256").update(token).digest("hex");
  const forged = { role: "read", hash, parcel: seededBytes(1)(300) } as const;
  await leaveParcel(world.access, first.space.id, forged, world.clock.now());
  const other = await world.open(world.newHome("phone"));
  await expect(other.pairSpace(pairing.link)).rejects.toMatchObject({
    code: "RELAY_PROTOCOL",
    message: expect.stringContaining("not what the other device has left"),
  });
}, 60_000);
