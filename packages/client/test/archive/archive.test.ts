import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { CambiumError } from "@cambium/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Replica, Space } from "../../src/api.js";
import { sealing } from "../../src/archive/sealed-stream.js";
import { verifyArchive } from "../../src/archive/verify-archive.js";
import { live, wholeOf } from "../support/lived-space.js";
import { type Device, synced, World } from "../support/world.js";

const CLEAR = { clear: true } as const;
const SEALED = { passphrase: "three tall pines" } as const;

const { cost } = sealing;
beforeAll(() => {
  sealing.cost = { N: 2, r: 1, p: 1 };
});
afterAll(() => {
  sealing.cost = cost;
});

/** The audit log of a replica, in the home of another. */
function auditIn(replica: Replica, space: Space, of: string): readonly string[] {
  const dir = join(replica.dir, "spaces", space.id, "audit", of);
  return readdirSync(dir)
    .filter((name) => name.includes(".jsonl"))
    .map((name) => readFileSync(join(dir, name), "base64"));
}

async function importedInto(world: World, path: string, options = {}): Promise<Device> {
  const home = world.newHome("restored");
  const replica = await world.open(home);
  await replica.importArchive(path, options);
  return { home, replica, space: await replica.openSpace() };
}

test("[AR1] an archive imported on an empty home is the same space, whatever was lived before", async () => {
  for (const seed of [1, 2]) {
    await using world = await World.withRelay(seed);
    const first = await world.found("first");
    const second = await world.join(first, "second");
    await first.space.policy.set("merge", "agent", "allow");
    for (const device of [first, second]) await synced(device);
    await live(seed, [first, second], 16);
    // Nothing arrives between the archive and what it is compared with.
    for (const device of [second, first]) await synced(device);
    await first.space.as({ agent: "ada" }).remember({ content: "last" });
    const path = join(world.root, "life.tar");
    const contents = await first.space.archive(path, CLEAR);
    const before = await wholeOf(first);
    const audit = auditIn(first.replica, first.space, first.replica.id);
    expect(contents).toMatchObject({
      isSealed: false,
      devices: 2,
      space: { id: first.space.id, name: "shared" },
    });
    expect(contents.branches.map(({ name }) => name)).toEqual(
      (await first.space.branches.list()).map(({ name }) => name),
    );
    expect(await verifyArchive(path)).toEqual(contents);

    const restored = await importedInto(world, path);
    expect(await wholeOf(restored)).toEqual(before);
    expect(auditIn(restored.replica, restored.space, first.replica.id)).toEqual(audit);
    expect(await restored.space.verify()).toMatchObject({ ok: true, damaged: [] });
    expect(restored.space).toMatchObject({ id: first.space.id, name: "shared", role: "admin" });
  }
});

test("[AR8] what was imported is a replica of its own: it writes on, and syncs once it is linked", async () => {
  await using world = await World.withRelay(5);
  const first = await world.found("first");
  const { id } = await first.space.as({ agent: "ada" }).remember({ content: "tea at four" });
  await synced(first);
  const path = join(world.root, "a.cambium");
  const clear = join(world.root, "a.tar");
  await first.space.archive(clear, CLEAR);
  await first.space.archive(path, SEALED);
  await first.space.as({ agent: "ada" }).revise(id, { tags: ["drink"] });

  const unlinked = await importedInto(world, clear);
  const without = await world.open(world.newHome());
  await expect(without.importArchive(clear, { link: true })).rejects.toHaveProperty("code", "BAD_INPUT");
  expect(await without.spaces()).toEqual([]);
  expect((await unlinked.replica.spaces())[0]).toMatchObject({ relay: null });
  await unlinked.space.as({ agent: "ben" }).revise(id, { content: "tea at five" });

  const linked = await importedInto(world, path, { ...SEALED, link: true, name: "again" });
  expect(linked.space.name).toBe("again");
  await linked.space.as({ agent: "cy" }).revise(id, { category: "habit" });
  await synced(first);
  await synced(linked);
  await unlinked.space.link(world.access);
  for (const device of [unlinked, first, linked, unlinked]) await synced(device);
  for (const { space } of [first, linked, unlinked])
    expect(await space.get(id)).toMatchObject({
      content: "tea at five",
      tags: ["drink"],
      category: "habit",
      conflicts: [],
    });
});

test("[AR7] on the home that made it, it goes on under another epoch: no number is given twice", async () => {
  await using world = await World.withRelay(6);
  const first = await world.found("first");
  const second = await world.join(first, "second");
  const ada = first.space.as({ agent: "ada" });
  await ada.remember({ content: "before" });
  const path = join(world.root, "a.cambium");
  await first.space.archive(path, SEALED);
  await ada.remember({ content: "after, and only with others" });
  await synced(first);
  await synced(second);
  await first.replica.createSpace({ name: "other" });
  await first.replica.removeSpace("shared");
  const epochOf = (): unknown => JSON.parse(readFileSync(join(first.home.dir, "replica.json"), "utf8")).epoch;
  expect(epochOf()).toBe(0);
  await first.replica.importArchive(path, { ...SEALED, link: true });
  expect(epochOf()).toBe(1);
  const space = await first.replica.openSpace("shared");
  await space.as({ agent: "ada" }).remember({ content: "since" });
  const again = { ...first, space };
  for (const device of [again, second, again]) await synced(device);
  for (const device of [again, second])
    expect((await device.space.list()).memories.map(({ content }) => content).toSorted()).toEqual([
      "after, and only with others",
      "before",
      "since",
    ]);
});

test("[AR9] what was erased since an archive was made does not come back with it", async () => {
  await using world = await World.withRelay(7);
  const first = await world.found("first");
  const { id } = await first.space.as({ agent: "ada" }).remember({ content: "SECRET Quixamber" });
  await first.space.as({ agent: "ada" }).remember({ content: "tea at four" });
  const path = join(world.root, "a.cambium");
  await first.space.archive(path, SEALED);
  await first.space.as({ confirmed: true }).erase({ ids: [id] });
  await synced(first);
  const restored = await importedInto(world, path, { ...SEALED, link: true });
  await synced(restored);
  await expect
    .poll(async () => (await restored.space.get(id)).erased, { interval: 20, timeout: 10_000 })
    .toBe("whole");
  expect(await restored.space.traces(["SECRET Quixamber", "quixamber"])).toEqual([]);
  expect((await restored.space.recall("tea")).map(({ content }) => content)).toEqual(["tea at four"]);
});

test("[AR4] [AR5] it is sealed or in the clear by choice; nothing is half written, and nothing written over", async () => {
  await using world = new World(8);
  const { space, replica } = await world.found("first");
  const path = join(world.root, "a.cambium");
  const refused = (options: object) =>
    expect(space.archive(path, options)).rejects.toHaveProperty("code", "BAD_INPUT");
  await refused({});
  await refused({ clear: true, passphrase: "x" });
  await refused({ passphrase: " " });
  await expect(space.archive(join(world.root, "nowhere", "a.cambium"), CLEAR)).rejects.toThrow(
    "There is no folder",
  );
  expect(existsSync(join(world.root, "nowhere"))).toBe(false);
  const stopped = AbortSignal.abort();
  await expect(space.archive(path, { ...CLEAR, signal: stopped })).rejects.toHaveProperty("code", "ABORTED");
  expect(readdirSync(world.root).filter((name) => name.startsWith("a.cambium"))).toEqual([]);
  expect(await space.archive(path, { passphrase: "three tall pines" })).toMatchObject({ isSealed: true });
  await refused(CLEAR);
  const clear = join(world.root, "a.tar");
  await space.archive(clear, CLEAR);
  const broken = join(world.root, "broken.tar");
  writeFileSync(broken, readFileSync(clear).subarray(0, -1));
  const other = await world.open(world.newHome("other"));
  const importing = (file: string, passphrase?: string) => other.importArchive(file, { passphrase });
  await expect(importing(broken)).rejects.toHaveProperty("code", "ARCHIVE_DAMAGED");
  await expect(importing(path, "three pines")).rejects.toHaveProperty("code", "WRONG_PASSPHRASE");
  await expect(importing(path)).rejects.toHaveProperty("code", "BAD_INPUT");
  await expect(importing(join(world.root, "none"))).rejects.toHaveProperty("code", "BAD_INPUT");
  expect(await other.importArchive(clear, { preview: true })).toMatchObject({ status: "preview" });
  expect(await other.spaces()).toEqual([]);
  expect(existsSync(join(other.dir, "spaces"))).toBe(false);
  expect(replica.id).not.toBe(other.id);
});

test("[AR5] stopped at any moment, it is there exactly if it was given back", async () => {
  await using world = new World(8);
  const { space } = await world.found("first");
  await space.as({ agent: "ada" }).remember({ content: "tea at four" });
  const isThere = (path: string): boolean => existsSync(path);
  const begins = (path: string): boolean =>
    readdirSync(world.root).some((name) => name.startsWith(`${basename(path)}.`));
  const ends: string[] = [];
  for (const [number, isTime] of [begins, isThere].entries()) {
    const path = join(world.root, `stopped-${number}.tar`);
    const stop = new AbortController();
    const making = space.archive(path, { ...CLEAR, signal: stop.signal }).then(
      () => "written",
      ({ code }: CambiumError) => code,
    );
    while (!isTime(path)) await new Promise(setImmediate);
    stop.abort();
    ends.push(await making);
    expect([existsSync(path), begins(path)]).toEqual([ends.at(-1) === "written", false]);
  }
  expect(ends).toEqual(["ABORTED", "written"]);
});

test("[AR6] others may write while it is made: what was acknowledged before is in it, and nothing is missing", async () => {
  await using world = new World(9);
  const { space } = await world.found("first");
  const ada = space.as({ agent: "ada" });
  for (let number = 0; number < 20; number += 1) await ada.remember({ content: `before ${number}` });
  let isDone = false;
  const path = join(world.root, "a.tar");
  const making = space.archive(path, CLEAR).finally(() => {
    isDone = true;
  });
  let during = 0;
  for (; !isDone && during < 600; during += 1) {
    await ada.remember({ content: `during ${during}` });
    if (during % 40 === 0) await space.branches.create(`b${during}`);
  }
  await making;
  const restored = await importedInto(world, path);
  const contents = (await restored.space.list({ limit: 1_000 })).memories.map(({ content }) => content);
  expect(contents.filter((content) => content.startsWith("before"))).toHaveLength(20);
  const branches = await restored.space.branches.list();
  expect(branches.every(({ isHere }) => isHere)).toBe(true);
  for (const { name: branch } of branches)
    for (const memory of (await restored.space.list({ branch, limit: 1_000 })).memories)
      expect(memory.incomplete).toBeUndefined();
  expect(await restored.space.verify()).toMatchObject({ ok: true, damaged: [] });
});

test("[AR25] of some branches, an archive holds those whole and nothing of the others, and says which it left out", async () => {
  await using world = await World.withRelay(14);
  const first = await world.found("first");
  const [second, third] = [await world.join(first, "second"), await world.join(first, "third")];
  const agent = first.space.as({ agent: "ada", confirmed: true });
  const tea = await agent.remember({ content: "tea at four" });
  await agent.branches.create("trip");
  await agent.branches.create("private");
  for (const device of [first, second, third]) await synced(device);
  // Each device has packs of its own: one is needed for what is merged, the other for nothing.
  const cake = await second.space
    .as({ agent: "ben" })
    .remember({ content: "cake at five" }, { branch: "private" });
  await third.space.as({ agent: "cy" }).remember({ content: "a secret of mine" }, { branch: "private" });
  for (const device of [second, third, first]) await synced(device);
  await agent.revise(tea.id, { content: "coffee at four" }, { branch: "trip" });
  // One memory of the other branch: its earlier versions are needed as well.
  await agent.revise(cake.id, { content: "cake at six", tags: ["sweet"] }, { branch: "private" });
  await agent.merge({ from: "private", into: "trip", only: { ids: [cake.id] }, strategy: "newest" });
  await first.space.checkpoints.create({ name: "kept", branch: "trip" });
  await first.space.checkpoints.create({ name: "elsewhere", branch: "private" });
  const path = join(world.root, "trip.tar");
  await expect(first.space.archive(path, { ...CLEAR, branches: ["none"] })).rejects.toHaveProperty(
    "code",
    "BRANCH_NOT_FOUND",
  );
  expect(await first.space.archive(path, { ...CLEAR, branches: ["trip"] })).toMatchObject({
    branches: [{ name: "trip", memories: 2 }],
    leftOut: expect.arrayContaining(["main", "private"]),
    checkpoints: (await first.space.checkpoints.list({ branch: "trip" })).length,
  });

  const shown = async ({ space }: Device) => [
    (await space.list({ branch: "trip" })).memories.map(({ content }) => content).toSorted(),
    (await space.history(tea.id, { at: "trip" })).length,
    (await space.history(cake.id, { at: "trip" })).map(({ content }) => content),
  ];
  const restored = await importedInto(world, path);
  expect(await shown(restored)).toEqual(await shown(first));
  const here = (await restored.space.branches.list()).flatMap(({ name, isHere }) => (isHere ? [name] : []));
  expect(here).not.toContain("private");
  expect(await restored.space.verify()).toMatchObject({ ok: true });
  expect(await restored.space.traces(["a secret of mine"], { paths: [restored.home.dir] })).toEqual([]);
  // A space of its own has not even the names of the others, nor their versions.
  await restored.replica.importArchive(path, { asSpace: "copy" });
  const space = await restored.replica.openSpace("copy");
  expect((await space.branches.list()).map(({ name }) => name).toSorted()).toEqual(["main", "trip"]);
  expect(
    await space.traces(["a secret of mine"], { paths: [join(restored.home.dir, "spaces", space.id)] }),
  ).toEqual([]);
  const copy = { ...restored, space };
  expect(await shown(copy)).toEqual(await shown(first));
  expect((await space.checkpoints.list({ branch: "trip" })).map(({ name }) => name)).toContain("kept");
});

test("[AR25] each branch alone has all of its versions, whatever was lived before", async () => {
  await using world = await World.withRelay(4);
  const first = await world.found("first");
  const second = await world.join(first, "second");
  await first.space.policy.set("merge", "agent", "allow");
  for (const device of [first, second]) await synced(device);
  await live(4, [first, second], 24);
  for (const device of [second, first]) await synced(device);
  const of = async ({ space }: Device, branch: string) => {
    const { memories } = await space.list({ branch, deleted: true, limit: 1_000 });
    const histories = await Promise.all(memories.map(({ id }) => space.history(id, { at: branch })));
    return { memories, histories, missing: (await space.status({ branch })).missing };
  };
  const branches = await first.space.branches.list();
  expect(branches.length).toBeGreaterThan(1);
  for (const { name } of branches) {
    const path = join(world.root, `${name}.tar`);
    await first.space.archive(path, { ...CLEAR, branches: [name] });
    expect(await of(await importedInto(world, path), name)).toEqual(await of(first, name));
  }
});
