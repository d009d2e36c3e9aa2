import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as A from "@automerge/automerge";
import { type DocumentId, documentIdFromHex, mainBranchId } from "@cambium/core";
import { expect, test } from "vitest";
import { archiveBytes, type Described, readArchive } from "../../src/archive/archive-file.js";
import type { ArchivePart } from "../../src/archive/tar.js";
import { live, wholeOf } from "../support/lived-space.js";
import { type Device, synced, World } from "../support/world.js";

const CLEAR = { clear: true } as const;

/** What is named by a hash or an id of the space, by the order in which it is named. */
function unnamed(whole: unknown): unknown {
  const places = new Map<string, number>();
  const text = JSON.stringify(whole, withoutOrderOfHashes).replaceAll(
    /[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
    (name) => {
      const place = places.get(name) ?? places.size;
      places.set(name, place);
      return `#${place}`;
    },
  );
  return JSON.parse(text);
}

/** Several parents stand in the order of their hashes, and what changed is told from the first of them. */
function withoutOrderOfHashes(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { parents, heads, head } = value as Readonly<Record<string, unknown>>;
  const several = Object.entries({ parents, heads, head }).filter(
    ([, list]) => Array.isArray(list) && list.length > 1,
  );
  if (several.length === 0) return value;
  const counts = several.map(([name, list]) => [name, (list as readonly unknown[]).length]);
  return { ...value, what: undefined, ...Object.fromEntries(counts) };
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);

async function madeOf(device: Device, path: string): Promise<Device> {
  const { replica, home } = device;
  const imported = await replica.importArchive(path, { asSpace: "copy" });
  expect(imported).toMatchObject({ status: "imported", as: "space", space: { name: "copy" } });
  return { home, replica, space: await replica.openSpace("copy") };
}

test("[AR21] an archive as a space of its own shows the same, whatever was lived before, and shares no id or key", async () => {
  for (const seed of process.env.CAMBIUM_SOAK === "1" ? numbers(1, 40) : [1, 3]) {
    await using world = await World.withRelay(seed);
    const first = await world.found("first");
    const second = await world.join(first, "second");
    await first.space.policy.set("merge", "agent", "allow");
    for (const device of [first, second]) await synced(device);
    await live(seed, [first, second], 18);
    for (const device of [second, first]) await synced(device);
    const path = join(world.root, "life.tar");
    await first.space.archive(path, CLEAR);
    const before = await wholeOf(first);
    const copy = await madeOf(first, path);
    expect(copy.space.id).not.toBe(first.space.id);
    expect(unnamed(await wholeOf(copy))).toEqual(unnamed(before));
    expect(await copy.space.verify()).toMatchObject({ ok: true, damaged: [] });
    expect(await wholeOf(first)).toEqual(before);
    // A checkpoint is a state that can be gone back to: what it holds has to be what its digest says.
    for (const { id, branch, scope } of await copy.space.checkpoints.list())
      if (scope === "full") await copy.space.rollback({ to: `checkpoint:${id}`, branch, preview: true });
  }
});

const SECRET = "The door code of the Zwyvernhof is 4711-Quixamber";
const OTHER = "Grandmother's recipe has seven Pfefferkorn and a Lorbeer";
const SAMPLE = fileURLToPath(new URL("../import/fixtures/memory.jsonl", import.meta.url));
const owner = ({ space }: Device) => space.as({ role: "owner", confirmed: true });
const dirOf = ({ home, space }: Device): string => join(home.dir, "spaces", space.id);

test("[AR22] it goes on by itself: undone, gone back to, merged, synced with those who are invited, and with nobody else", async () => {
  await using world = await World.withRelay(11);
  const first = await world.found("first");
  const second = await world.join(first, "second", { role: "admin" });
  const agent = first.space.as({ agent: "ada" });
  const tea = await agent.remember({ content: "tea at four" });
  await synced(first);
  await synced(second);
  await agent.branches.create("trip");
  await agent.revise(tea.id, { content: "coffee at four" }, { branch: "trip" });
  const mark = await first.space.checkpoints.create({ name: "before" });
  await second.space.as({ agent: "ben" }).revise(tea.id, { tags: ["drink"] });
  const revised = await agent.revise(tea.id, { content: "tea at five" });
  for (const device of [second, first]) await synced(device);
  await first.space.members.revoke("second"); // another key: what is read is sealed under two
  await agent.remember({ content: "after the removal" });
  const path = join(world.root, "a.tar");
  await first.space.archive(path, CLEAR);
  const copy = await madeOf(first, path);

  expect(await copy.space.status()).toMatchObject({ key: { epoch: 0 }, space: { role: "admin" } });
  const { changes } = await copy.space.log({ limit: 100 });
  const undone = changes.find(({ at, type }) => type === "revise" && at >= revised.at);
  await copy.space.undo({ change: undone?.hash ?? "" });
  expect(await copy.space.get(tea.id)).toMatchObject({ content: "tea at four", tags: ["drink"] });
  await copy.space.rollback({ to: `checkpoint:${mark.id}` });
  expect(await copy.space.get(tea.id)).toMatchObject({ content: "tea at four", tags: [] });
  await copy.space.merge({ from: "trip", strategy: "newest" });
  expect((await copy.space.get(tea.id)).content).toBe("coffee at four");

  // On the relay that has the old one, too; somebody of the old one is invited.
  await copy.space.link(world.access);
  const joined = await second.replica.joinSpace(await copy.space.invite({ role: "write" }));
  const guest: Device = { ...second, space: joined };
  await guest.space.as({ agent: "ben" }).remember({ content: "from a guest" });
  for (const device of [copy, guest, copy]) await synced(device);
  expect(unnamed(await wholeOf(guest))).toEqual(unnamed(await wholeOf(copy)));
  expect((await copy.space.list()).memories.map(({ content }) => content)).toContain("from a guest");
  expect((await first.space.get(tea.id)).content).toBe("tea at five");
  const members = await copy.space.members.list();
  const standing = members.filter(({ revokedAt }) => revokedAt === undefined).map(({ name }) => name);
  expect(standing.toSorted()).toEqual(["first", "second"]);
  // A later key is for those two as well.
  await owner(copy).rekey();
  expect(await guest.space.verify()).toMatchObject({ ok: true });
  // Whoever has the keys of the old space reads nothing of the new one, and the other way round.
  const stores = [first, copy].map((device) => join(dirOf(device), "store.sqlite"));
  const found = (device: Device) => device.space.traces(["tea at four"], { paths: stores });
  expect((await found(first)).every(({ path: at }) => at === stores[0])).toBe(true);
  expect((await found(copy)).every(({ path: at }) => at === stores[1])).toBe(true);
  expect((await found(copy)).length).toBeGreaterThan(0);
});

test("[AR23] what was erased is not taken along, is noticed when it comes again, and what was imported is known", async () => {
  await using world = new World(12);
  const first = await world.found("first");
  const agent = first.space.as({ agent: "ada" });
  const secret = await agent.remember({ content: SECRET });
  const recipe = await agent.remember({ content: OTHER });
  await agent.revise(recipe.id, { content: "Ask grandmother" });
  const imported = await agent.import(SAMPLE);
  const early = join(world.root, "early.tar");
  await first.space.archive(early, CLEAR);
  await owner(first).erase({ ids: [secret.id] });
  await owner(first).erase({ versions: [{ id: recipe.id, version: 1 }] });
  const path = join(world.root, "late.tar");
  await first.space.archive(path, CLEAR);
  const copy = await madeOf(first, path);

  expect(await copy.space.traces([SECRET, OTHER], { paths: [dirOf(copy)] })).toEqual([]);
  const [erasures, before] = [await copy.space.erasures(), await first.space.erasures()];
  expect(erasures.map(({ at, reason }) => [at, reason])).toEqual(
    before.map(({ at, reason }) => [at, reason]),
  );
  expect(erasures.every(({ waiting }) => waiting.length === 0)).toBe(true);
  expect((await copy.space.status()).notices).toEqual([]);
  expect(await copy.space.as({ agent: "cy" }).remember({ content: SECRET })).toMatchObject({
    erasedBefore: true,
  });
  expect(await copy.space.as({ agent: "cy" }).import(SAMPLE)).toMatchObject({
    created: 0,
    unchanged: imported.created,
  });
  expect(readdirSync(join(first.home.dir, "spaces")).toSorted()).toEqual(
    [first.space.id, copy.space.id, "default.json"].toSorted(),
  );
});

test("[AR27] what the space of the archive has erased since is left out where that space is here, and is said", async () => {
  await using world = new World(14);
  const first = await world.found("first");
  const agent = first.space.as({ agent: "ada" });
  const secret = await agent.remember({ content: SECRET });
  const recipe = await agent.remember({ content: OTHER });
  await agent.revise(recipe.id, { content: "Ask grandmother" });
  const gone = await agent.remember({ content: "erased before" });
  await owner(first).erase({ ids: [gone.id] });
  const path = join(world.root, "a.tar");
  await first.space.archive(path, CLEAR);
  await owner(first).erase({ ids: [secret.id] });
  await owner(first).erase({ versions: [{ id: recipe.id, version: 1 }] });
  const preview = await first.replica.importArchive(path, { asSpace: "copy", preview: true });
  expect(preview.erasedSince).toEqual({});
  const imported = await first.replica.importArchive(path, { asSpace: "copy" });
  const lastAt = Math.max(...(await first.space.erasures()).map(({ at }) => at));
  expect(imported.erasedSince).toEqual({ memories: 2, lastAt });
  const copy: Device = { ...first, space: await first.replica.openSpace("copy") };
  expect(await copy.space.traces([SECRET, OTHER], { paths: [dirOf(copy)] })).toEqual([]);
  expect((await copy.space.list()).memories.map(({ content }) => content)).toEqual(["Ask grandmother"]);
  expect(await copy.space.verify()).toMatchObject({ ok: true });
  const again = await copy.space.as({ agent: "cy" }).remember({ content: SECRET });
  expect(again).toMatchObject({ erasedBefore: true });

  // Elsewhere nobody knows of it.
  const other = await world.open(world.newHome("other"));
  expect(await other.importArchive(path, { asSpace: "copy" })).not.toHaveProperty("erasedSince");
  expect((await (await other.openSpace("copy")).get(secret.id)).content).toBe(SECRET);
});

/** The archive, with a change in a document that forgets everything, and that no member has signed. */
async function* forgedParts(path: string, document: DocumentId): AsyncGenerator<ArchivePart, Described> {
  const parts: ArchivePart[] = [];
  const { manifest } = await readArchive(path, {}, (part) => {
    if (part.name !== "cambium-archive.txt") parts.push(part);
  });
  let heads: readonly string[] = [];
  for (const { name, bytes } of parts) {
    if (name !== `documents/${document}/0`) yield { name, bytes };
    else {
      const forged = A.change(A.load<Branch>(bytes), ({ memories }) => {
        for (const bucket of Object.values(memories)) for (const id of Object.keys(bucket)) delete bucket[id];
      });
      heads = A.getHeads(forged);
      yield { name, bytes: A.save(forged) };
    }
  }
  const { format: _format, version: _version, parts: _parts, ...described } = manifest;
  return {
    ...described,
    documents: described.documents.map((one) => (one.id === document ? { ...one, heads } : one)),
  };
}

interface Branch {
  readonly memories: Record<string, Record<string, unknown>>;
}

test("[AR22] what no member had made counts for as little in the new space", async () => {
  await using world = new World(13);
  const device = await world.found("first");
  await device.space.as({ agent: "ada" }).remember({ content: "made by a member" });
  const path = join(world.root, "a.tar");
  await device.space.archive(path, CLEAR);
  const main = documentIdFromHex(mainBranchId(device.space.id));
  const forged = join(world.root, "forged.tar");
  await writeFile(forged, archiveBytes(forgedParts(path, main)));
  const copy = await madeOf(device, forged);
  expect((await copy.space.list()).memories.map(({ content }) => content)).toEqual(["made by a member"]);
  expect(await copy.space.verify()).toMatchObject({ ok: true });
});
