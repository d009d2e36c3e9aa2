/** Keys and settings of a home that were altered, and invitations with a wrong key. */
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CambiumError } from "@cambium/core";
import { describe, expect, test } from "vitest";
import type { Replica } from "../../src/api.js";
import { seededNumbers } from "../support/seeded.js";
import { contentsOf, converged, type Device, synced, World } from "../support/world.js";

const FLIPS = Number(process.env.CAMBIUM_TRIALS ?? 24);
const CODED = ["STORE_DAMAGED", "WRONG_KEY"];

const settingsOf = ({ home, space }: Device): string => join(home.dir, "spaces", space.id, "space.json");

/** Writes it as a Cambium from before did. */
function rewrite(path: string, change: (stored: Record<string, unknown>) => object): void {
  const { checksum: _checksum, keyCheck: _keyCheck, ...stored } = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify(change(stored), null, 2));
}

const otherKey = (key: unknown): string =>
  `${String(key).startsWith("A") ? "B" : "A"}${String(key).slice(1)}`;

/** An invitation to the same place, with another key. */
function withOtherKey(invitation: string): string {
  const [address = "", secrets = ""] = invitation.split("#");
  const [token, key, ...rest] = secrets.split(".");
  // Without what it says of the space, which would show that the key is another.
  return `${address}#${[token, otherKey(key), ...rest.slice(0, 1)].join(".")}`;
}

describe("settings with one altered bit", () => {
  test.each(["space.json", "replica.json"])(
    "[KY1] %s is refused or as it was, and nothing is lost",
    async (file) => {
      await using world = new World(340);
      const first = await world.found();
      await first.space.as({ agent: "a" }).remember({ content: "true" });
      await first.replica.close();
      const path = file === "space.json" ? settingsOf(first) : join(first.home.dir, file);
      const next = seededNumbers(341);
      const written = ["true"];
      for (let trial = 0; trial < FLIPS; trial += 1) {
        const whole = readFileSync(path);
        const bytes = Uint8Array.from(whole);
        const place = Math.floor(next() * bytes.length);
        bytes[place] = (bytes[place] as number) ^ (1 << Math.floor(next() * 8));
        writeFileSync(path, bytes);
        const content = `trial ${trial}`;
        let replica: Replica | undefined;
        try {
          replica = await world.open(first.home);
          const again = { ...first, replica, space: await replica.openSpace() };
          expect(await contentsOf(again)).toEqual(written.toSorted());
          await again.space.as({ agent: "a" }).remember({ content });
          written.push(content);
        } catch (error) {
          const { code, hint = "" } = error as CambiumError;
          expect([CODED.includes(code), hint === "", String(error)]).toEqual([
            true,
            false,
            expect.any(String),
          ]);
          writeFileSync(path, whole);
        }
        await replica?.close();
      }
      const again = await world.reopen(first.home);
      expect(await contentsOf(again)).toEqual(written.toSorted());
      expect((await again.space.verify()).ok).toBe(true);
    },
  );
});

describe("a home from before there were checks", () => {
  test("[KY1] is read, and has them from then on", async () => {
    await using world = new World(342);
    const first = await world.found();
    await first.space.as({ agent: "a" }).remember({ content: "old" });
    await first.replica.close();
    rewrite(settingsOf(first), (stored) => stored);
    rewrite(join(first.home.dir, "replica.json"), (stored) => stored);
    const again = await world.reopen(first.home);
    expect(await contentsOf(again)).toEqual(["old"]);
    await again.replica.close();
    expect(JSON.parse(readFileSync(settingsOf(first), "utf8"))).toMatchObject({
      keyCheck: expect.any(String),
      checksum: expect.any(String),
    });
  });

  test("[KY2] with another key is WRONG_KEY, though the index would answer, and whole again with the right one", async () => {
    await using world = new World(343);
    const first = await world.found();
    await first.space.as({ agent: "a" }).remember({ content: "true" });
    await first.replica.close();
    const whole = readFileSync(settingsOf(first));
    const changes = [
      (stored: Record<string, unknown>) => ({ ...stored, key: otherKey(stored.key) }),
      (stored: Record<string, unknown>) => ({
        ...stored,
        key: otherKey(stored.key),
        keyCheck: JSON.parse(whole.toString()).keyCheck,
      }),
    ];
    for (const change of changes) {
      rewrite(settingsOf(first), change);
      const replica = await world.open(first.home);
      await expect(replica.openSpace()).rejects.toMatchObject({
        code: "WRONG_KEY",
        hint: expect.any(String),
      });
      await replica.close();
      writeFileSync(settingsOf(first), whole);
    }
    expect(await contentsOf(await world.reopen(first.home))).toEqual(["true"]);
  });
});

describe("an invitation with a wrong key", () => {
  test("[KY3] is refused, and leaves nothing", async () => {
    await using world = await World.withRelay(344);
    const first = await world.found("first");
    await first.space.as({ agent: "a" }).remember({ content: "shared" });
    await synced(first);
    const invitation = await first.space.invite({ role: "write" });
    const replica = await world.open(world.newHome("second"));
    await expect(replica.joinSpace(withOtherKey(invitation))).rejects.toMatchObject({
      code: "BAD_INVITATION",
    });
    expect(await replica.spaces()).toEqual([]);
    const second = { home: first.home, replica, space: await replica.joinSpace(invitation) };
    await converged(first, second);
    expect(await contentsOf(second)).toEqual(["shared"]);
  });

  test("[KY3] taken while the relay was away is told once the catalog has come, and another one mends it", async () => {
    await using world = await World.withRelay(345);
    const first = await world.found("first");
    await first.space.as({ agent: "a" }).remember({ content: "shared" });
    await synced(first);
    const invitation = await first.space.invite({ role: "write" });
    const home = world.newHome("second");
    world.proxy.cut();
    const replica = await world.open(home);
    const joined = await replica.joinSpace(withOtherKey(invitation));
    world.proxy.restore();
    const told: string[] = [];
    joined.subscribe((event) => {
      if (event.type === "notice") told.push(event.message ?? "");
    });
    const wrong = { code: "WRONG_KEY" };
    await expect(joined.sync.whenSynced({ signal: AbortSignal.timeout(15_000) })).rejects.toMatchObject(
      wrong,
    );
    expect(told.join()).toContain("does not open what is in it");
    await expect(joined.list()).rejects.toMatchObject(wrong);
    await expect(joined.as({ agent: "b" }).remember({ content: "lost" })).rejects.toMatchObject(wrong);
    await expect(joined.status()).rejects.toMatchObject(wrong);

    const mended = { home, replica, space: await replica.joinSpace(invitation) };
    await mended.space.as({ agent: "b" }).remember({ content: "by the second" });
    await converged(first, mended);
    expect(await contentsOf(first)).toEqual(["by the second", "shared"]);
    await replica.close();
    expect(await contentsOf(await world.reopen(home))).toEqual(["by the second", "shared"]);
  });

  test("[KY3] one taken while the relay was away is right until shown otherwise", async () => {
    await using world = await World.withRelay(346);
    const first = await world.found("first");
    await synced(first);
    const invitation = await first.space.invite({ role: "write" });
    const home = world.newHome("second");
    world.proxy.cut();
    const replica = await world.open(home);
    const second = { home, replica, space: await replica.joinSpace(invitation) };
    await second.space.as({ agent: "b" }).remember({ content: "offline" });
    world.proxy.restore();
    await converged(first, second);
    expect(await contentsOf(first)).toEqual(["offline"]);
    expect(JSON.parse(readFileSync(settingsOf(second), "utf8")).keyCheck).toEqual(expect.any(String));
  });
});

test("[KY4] a damaged space.json keeps no other space from being opened, and is mended by an invitation", async () => {
  await using world = await World.withRelay(347);
  const first = await world.found("first");
  const second = await world.join(first, "second");
  await second.space.as({ agent: "b" }).remember({ content: "kept" });
  await converged(first, second);
  await second.replica.createSpace({ name: "other" });
  await second.replica.close();
  writeFileSync(
    settingsOf(second),
    readFileSync(settingsOf(second), "utf8").replace('"key": "', '"key": "A'),
  );
  const replica = await world.open(second.home);
  expect((await replica.openSpace("other")).name).toBe("other");
  await expect(replica.openSpace(second.space.id)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
  const mended = {
    ...second,
    replica,
    space: await replica.joinSpace(await first.space.invite({ role: "write" })),
  };
  expect(await contentsOf(mended)).toEqual(["kept"]);
  await converged(first, mended);
});

describe("settings that are missing", () => {
  test("[KY5] are damage: nothing else is taken for the space, and the others open by name", async () => {
    await using world = new World(348);
    const lost = await world.found("device");
    await lost.space.as({ agent: "a" }).remember({ content: "kept" });
    const sound = await lost.replica.createSpace({ name: "sound" });
    await lost.replica.close();
    const beside = join(lost.home.dir, "settings-beside");
    renameSync(settingsOf(lost), beside);
    // One that was being made when the process died is no space, and no damage.
    mkdirSync(join(lost.home.dir, "spaces", "01a20469-0000-7000-8000-000000000000"));

    const replica = await world.open(lost.home);
    expect((await replica.spaces()).map(({ name }) => name)).toEqual(["sound"]);
    const told = { message: expect.stringContaining("space.json is missing"), hint: expect.any(String) };
    expect(await replica.damagedSpaces()).toEqual([{ id: lost.space.id, ...told }]);
    const damaged = { code: "STORE_DAMAGED", ...told };
    await expect(replica.openSpace()).rejects.toMatchObject(damaged);
    await expect(replica.openSpace("shared")).rejects.toMatchObject(damaged);
    await expect(replica.openSpace(lost.space.id)).rejects.toMatchObject(damaged);
    const named = await replica.openSpace(sound.id);
    await named.as({ agent: "a" }).remember({ content: "goes on" });
    expect((await named.status()).notices).toEqual([expect.stringContaining("space.json is missing")]);
    await replica.close();

    renameSync(beside, settingsOf(lost));
    const again = await world.open(lost.home);
    expect(await again.damagedSpaces()).toEqual([]);
    expect(await contentsOf({ ...lost, space: await again.openSpace("shared") })).toEqual(["kept"]);
  });

  test.each(["a dangling link", "a file"])(
    "[KY5] %s in place of all spaces is not a home without any",
    async (kind) => {
      await using world = new World(349);
      const device = await world.found();
      await device.replica.close();
      const spaces = join(device.home.dir, "spaces");
      renameSync(spaces, `${spaces}-moved`);
      if (kind === "a file") writeFileSync(spaces, "");
      else symlinkSync(join(device.home.dir, "nowhere"), spaces);
      const replica = await world.open(device.home);
      expect(await replica.spaces()).toEqual([]);
      expect(await replica.damagedSpaces()).toMatchObject([{ id: null }]);
      await expect(replica.openSpace()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
    },
  );
});

describe("what is no file", () => {
  test.each(["replica.json", "space.json", "acknowledged"])(
    "[KY6] a directory in place of %s is STORE_DAMAGED",
    async (file) => {
      await using world = new World(350);
      const device = await world.found();
      await device.space.as({ agent: "a" }).remember({ content: "kept" });
      await device.replica.close();
      const { dir } = device.home;
      const path = file === "replica.json" ? join(dir, file) : join(dir, "spaces", device.space.id, file);
      rmSync(path);
      mkdirSync(path);
      await expect(world.reopen(device.home)).rejects.toMatchObject({
        code: "STORE_DAMAGED",
        message: expect.stringContaining(path),
        hint: expect.any(String),
      });
    },
  );

  test.each(["a file", "a dangling link", "a link to itself"])(
    "[KY6] %s in place of the home, or of the state directory, is STORE_FAILED",
    async (kind) => {
      await using world = new World(351);
      const place = join(world.root, "in the way");
      const path = join(place, "below");
      if (kind === "a file") writeFileSync(place, "");
      else symlinkSync(kind === "a link to itself" ? place : join(world.root, "nowhere", "at all"), place);
      const home = world.newHome();
      const failed = {
        code: "STORE_FAILED",
        message: expect.stringContaining(place),
        hint: expect.any(String),
      };
      await expect(world.open({ ...home, dir: place })).rejects.toMatchObject(failed);
      await expect(world.open({ ...home, stateDir: place })).rejects.toMatchObject(failed);
      await expect(world.open({ ...home, stateDir: path })).rejects.toMatchObject(failed);
    },
  );
});
