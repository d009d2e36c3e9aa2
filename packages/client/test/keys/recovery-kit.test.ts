import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sealing } from "../../src/archive/sealed-stream.js";
import { SpaceConfigs } from "../../src/documents/space-config.js";
import { secretOfWords, wordsOfKit } from "../../src/keys/kit-words.js";
import { createRelaySpace, createRelayToken } from "../../src/sync/relay-http.js";
import { seededBytes } from "../support/seeded.js";
import { contentsOf, converged, type Device, synced, until, World } from "../support/world.js";

sealing.cost = { N: 1024, r: 8, p: 1 };

const kits = async ({ space }: Device) =>
  (await space.members.list()).filter(({ isRecoveryKit }) => isRecoveryKit);

async function recovered(world: World, kit: string, name = "new laptop"): Promise<Device> {
  const home = world.newHome(name);
  const replica = await world.open(home);
  return { home, replica, space: await replica.recoverSpace(kit) };
}

test("[KT1] words are read in capitals, shortened and numbered; a wrong, a swapped and a mistyped one are named", () => {
  const secret = seededBytes(7)(16);
  const words = wordsOfKit(secret);
  expect(words).toHaveLength(15);
  const same = [
    words.join(" "),
    `  ${words.join("\n").toUpperCase()}\n`,
    words.map((word, place) => `${place + 1}. ${word},`).join(" "),
    words.map((word) => word.slice(0, 4)).join(" "),
  ];
  for (const text of same) expect(secretOfWords(text)).toEqual(secret);
  const refused = (changed: readonly string[]) => () => secretOfWords(changed.join(" "));
  expect(refused(words.slice(1))).toThrow("has 15 words, and these are 14");
  expect(refused(words.with(2, "zebraa"))).toThrow('Word 3, "zebraa", is none of the words');
  expect(refused(words.with(0, "abandno"))).toThrow("Did you mean abandon?");
  // Whatever is swapped or replaced: 37 bits say that it is wrong. The five of BIP 39 would let one of 32 pass.
  for (let seed = 0; seed < 20; seed += 1) {
    const others = wordsOfKit(seededBytes(seed)(16));
    for (let place = 0; place < 14; place += 1) {
      const [a = "", b = ""] = others.slice(place, place + 2);
      if (a !== b) expect(refused(others.with(place, b).with(place + 1, a))).toThrow("two are swapped");
      expect(refused(others.with(place, a === "zoo" ? "zone" : "zoo"))).toThrow("one is another word");
    }
  }
});

test("[KT2] [KT3] [KT5] a kit brings everything back, also what was written under keys that came after it", async () => {
  await using world = await World.withRelay(981);
  const first = await world.found("laptop");
  await first.space.as({}).remember({ content: "Before the kit." });
  const kit = await first.space.members.recoveryKit();
  expect(await kits(first)).toMatchObject([{ name: "recovery kit", role: "admin", access: kit.id }]);
  const phone = await world.join(first, "phone");
  await converged(first, phone);
  expect(await kits(phone)).toMatchObject([
    { name: "recovery kit", invitedBy: { replica: first.space.replica } },
  ]);
  const { key } = await first.space.members.revoke("phone");
  expect(key).toMatchObject({ epoch: 1, given: ["laptop", "recovery kit"], without: [] });
  await first.space.as({}).remember({ content: "Under the second key." });
  await synced(first);
  await first.replica.close();
  rmSync(first.home.dir, { recursive: true });

  const back = await recovered(world, kit.page);
  await synced(back);
  expect((await contentsOf(back)).toSorted()).toEqual(["Before the kit.", "Under the second key."]);
  expect(back.space).toMatchObject({ role: "admin", name: "shared" });
  await until("it is a member itself", [back], async () => {
    const { key: status, relay } = await back.space.status();
    return status.epoch === 1 && relay.state === "synced";
  });
  // The kit is not found on the device that it brought back.
  await until("the kit is forgotten", [back], async () => {
    const settings = join(back.home.dir, "spaces", back.space.id, "space.json");
    return !readFileSync(settings, "utf8").includes("cameWith");
  });
  expect(await kits(back)).toMatchObject([{ name: "recovery kit" }]);
  // It goes on as any member: a removal gives it, and the kit, the next key.
  const guest = await world.join(back, "guest");
  await converged(back, guest);
  expect((await back.space.members.revoke("guest")).key).toMatchObject({ epoch: 2, without: [] });
  await back.space.as({}).remember({ content: "Under the third." });
  await synced(back);
  const again = await recovered(world, kit.words.toUpperCase()).catch((error) => error);
  expect(again).toMatchObject({ code: "BAD_INPUT", message: expect.stringContaining("does not say where") });
  const home = world.newHome("tablet");
  const replica = await world.open(home);
  const tablet = { home, replica, space: await replica.recoverSpace(kit.words, { relay: kit.relay ?? "" }) };
  await converged(back, tablet);
  expect(await contentsOf(tablet)).toHaveLength(3);
}, 60_000);

test("[KT3] a kit that is made after a removal brings everything back, and the next key reaches it", async () => {
  await using world = await World.withRelay(987);
  const first = await world.found("laptop");
  const phone = await world.join(first, "phone");
  await first.space.as({}).remember({ content: "Before the removal." });
  await converged(first, phone);
  await first.space.members.revoke("phone");
  await first.space.as({}).remember({ content: "After the removal." });
  const kit = await first.space.members.recoveryKit();
  await synced(first);
  const second = await recovered(world, kit.page);
  await converged(first, second);
  expect(await contentsOf(second)).toHaveLength(2);
  expect((await second.space.status()).notices).toEqual([]);
  expect((await first.space.members.revoke("new laptop")).key).toMatchObject({ epoch: 2, without: [] });
  await first.space.as({}).remember({ content: "Under the third key." });
  await synced(first);
  await first.replica.close();
  rmSync(first.home.dir, { recursive: true });
  const third = await recovered(world, kit.page, "third");
  await synced(third);
  expect((await contentsOf(third)).toSorted()).toEqual([
    "After the removal.",
    "Before the removal.",
    "Under the third key.",
  ]);
}, 60_000);

test("[KT4] a kit that is revoked gets in nowhere, and no later key; one made by a removed device gets none either", async () => {
  await using world = await World.withRelay(982);
  const first = await world.found("laptop");
  const kit = await first.space.members.recoveryKit();
  const other = await first.space.members.recoveryKit();
  const names = (await kits(first)).map(({ name }) => name);
  expect(new Set(names).size).toBe(2);
  const before = await recovered(world, kit.page, "thief");
  await synced(before);
  const preview = await first.space.members.revoke(kit.id, { preview: true });
  expect(preview).toMatchObject({ role: "admin", devices: [expect.stringContaining("recovery kit")] });
  expect((await first.space.members.revoke(kit.id)).key?.given).toEqual([
    "laptop",
    expect.stringContaining("recovery kit"),
    "thief",
  ]);
  expect((await kits(first)).filter(({ revokedAt }) => revokedAt !== undefined)).toHaveLength(1);
  await expect(recovered(world, kit.page)).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
  await synced(await recovered(world, other.page, "spare"));
  // Whoever came by the kit is a device like any other, and goes as one.
  const theirs = await before.space.members.recoveryKit();
  await synced(before);
  await until("the laptop knows", [first], async () => (await kits(first)).length === 3);
  const gone = await first.space.members.revoke("thief");
  expect(gone.standing).toContain(theirs.id);
  expect(gone.key?.without).toEqual([expect.stringContaining("recovery kit")]);
}, 60_000);

test("[KT4] what ends with a kit is what the kit gave: a device that was invited again since keeps its part, and is not named", async () => {
  await using world = await World.withRelay(988);
  const first = await world.found("laptop");
  const phone = await world.join(first, "phone");
  await converged(first, phone);
  await first.space.members.revoke("phone");
  const kit = await first.space.members.recoveryKit();
  await synced(first);
  const desk = await recovered(world, kit.page, "desk");
  await converged(first, desk);
  await first.space.members.revoke("desk");
  const invitation = await first.space.invite({ role: "write" });
  // Another key than the one under which the desk will say who it is.
  const guest = await world.join(first, "guest");
  await converged(first, guest);
  await first.space.members.revoke("guest");
  const space = await desk.replica.joinSpace(invitation);
  await space.sync.stop();
  const preview = await first.space.members.revoke(kit.id, { preview: true });
  for (const { key, devices } of [preview, await first.space.members.revoke(kit.id)]) {
    expect(devices).toEqual(["recovery kit"]);
    expect(key).toMatchObject({ given: ["laptop", "desk"], without: [] });
  }
  await first.space.as({}).remember({ content: "After the kit." });
  await synced(first);
  space.sync.start();
  await converged(first, { ...desk, space });
  expect(await contentsOf({ ...desk, space })).toEqual(["After the kit."]);
  for (const one of [first.space, space]) expect((await one.status()).notices).toEqual([]);
}, 60_000);

test("[KT6] [KT7] [KT11] with an archive and no relay, a kit of the space opens it; after a link the relay knows the kit", async () => {
  await using world = new World(983);
  const first = await world.found("laptop");
  await first.space.as({}).remember({ content: "At home." });
  const kit = await first.space.members.recoveryKit();
  expect(kit).toMatchObject({ relay: null });
  const commands = kit.page.match(/cambium recover .*/g) ?? [];
  expect(commands.length).toBeGreaterThan(1);
  expect(commands.filter((command) => !/--archive|--relay/.test(command))).toEqual([]);
  const path = join(world.root, "kept.cambium");
  await first.space.archive(path, { passphrase: "three tall pines" });
  const late = await first.space.members.recoveryKit();

  const replica = await world.open(world.newHome("new laptop"));
  await expect(replica.importArchive(path, { kit: late.page })).rejects.toMatchObject({
    code: "WRONG_PASSPHRASE",
    message: "This is not a recovery kit of the archive.",
  });
  await expect(replica.importArchive(path, { kit: kit.page, passphrase: "x" })).rejects.toMatchObject({
    code: "BAD_INPUT",
  });
  await replica.importArchive(path, { kit: kit.words });
  const space = await replica.openSpace();
  expect((await space.list()).memories.map(({ content }) => content)).toEqual(["At home."]);
  await expect(replica.recoverSpace(kit.page)).rejects.toMatchObject({ code: "BAD_INPUT" });

  // Without a relay, too, a kit ends.
  await first.space.members.revoke(late.id);
  await world.startRelay();
  await first.space.link(world.access);
  await synced(first);
  expect((await kits(first)).map(({ revokedAt }) => revokedAt === undefined).toSorted()).toEqual([
    false,
    true,
  ]);
  const home = world.newHome("third");
  const third = await world.open(home);
  const back = {
    home,
    replica: third,
    space: await third.recoverSpace(kit.words, { relay: world.access.url }),
  };
  await synced(back);
  expect(await contentsOf(back)).toEqual(["At home."]);
  await expect(third.recoverSpace(late.words, { relay: world.access.url })).rejects.toMatchObject({
    code: "TOKEN_REFUSED",
  });
}, 60_000);

test("[KT10] a relay that could not be told of a kit is named by the status, and told at the next connection", async () => {
  await using world = new World(985);
  const first = await world.found("laptop");
  const kit = await first.space.members.recoveryKit();
  const told = async (device: Device) =>
    (await device.space.status()).notices.filter((notice) => notice.includes("recovery kit"));
  expect(await told(first)).toEqual([]); // on no relay
  await world.startRelay();
  const { token } = await createRelaySpace(world.access, first.space.id);
  const write = await createRelayToken({ ...world.access, token }, { space: first.space.id, role: "write" });
  await first.space.link({ url: world.access.url, token: write.token });
  expect(await told(first)).toEqual([
    expect.stringMatching(/not been told of 1 recovery kit .*`cambium link /),
  ]);
  await first.replica.close();
  const again = await world.reopen(first.home);
  expect(await told(again)).toHaveLength(1);

  // Not through a link, as after a link that was cut short.
  await again.replica.close();
  const configs = new SpaceConfigs(first.home.dir);
  const config = configs.find(first.space.id);
  configs.save({ ...config, role: "admin", relay: { url: world.access.url, token } });
  const admin = await world.reopen(first.home, { connect: false });
  expect(await told(admin)).toEqual([expect.stringContaining("`cambium sync --space shared`")]);
  admin.space.sync.start();
  await until("the relay knows the kit", [admin], async () => (await told(admin)).length === 0);
  await synced(admin);
  const replica = await world.open(world.newHome("new"));
  expect((await replica.recoverSpace(kit.words, { relay: world.access.url })).id).toBe(first.space.id);
}, 60_000);
