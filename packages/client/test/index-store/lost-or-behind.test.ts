import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test, vi } from "vitest";
import { Documents } from "../../src/documents/documents.js";
import { storePath } from "../support/stored.js";
import { type Device, type Home, World } from "../support/world.js";

const indexPath = (home: Home, space: string): string => join(home.dir, "spaces", space, "index.sqlite");

/** Everything a device says of itself, at several refs. */
async function answers({ space }: Device, dates: readonly number[]): Promise<unknown> {
  const refs = ["main", "side", ...dates.flatMap((at) => [`main@${at}`, `side@${at}`])];
  await space.branches.list(); // looks at all of them
  const said = [];
  for (const ref of refs) {
    const { memories } = await space.list({ at: ref, deleted: true });
    const { changes } = await space.log({ at: ref });
    const found = await space.recall("amber birch", { at: ref, priors: false });
    const ids = found.map(({ id, record }) => [id, record]).sort();
    said.push({ ref, memories, changes, ids });
  }
  const [main] = await space.branches.list();
  return { said, head: main?.head, diff: await space.diff(`main@${dates[0]}`, "main") };
}

/** A home with two branches and some history. It has been closed; `before` is from when it was half as long. */
async function lived(world: World) {
  const { home, replica, space } = await world.found();
  const agent = space.as({ agent: "a" });
  const { id } = await agent.remember({ content: "amber" });
  await agent.remember({ content: "birch" });
  await agent.branches.create("side");
  const early = world.clock.now();
  world.clock.advance(60_000);
  await agent.revise(id, { content: "amber on the side" }, { branch: "side" });
  await space.list({ branch: "side" });
  await replica.close();
  const paths = { index: indexPath(home, space.id), store: storePath(home, space.id) };
  const before = { index: join(world.root, "index-before"), store: join(world.root, "store-before") };
  copyFileSync(paths.index, before.index);
  copyFileSync(paths.store, before.store);

  const again = await world.reopen(home);
  const later = again.space.as({ agent: "a" });
  world.clock.advance(60_000);
  await later.revise(id, { content: "amber and birch" });
  await later.remember({ content: "cedar birch" }, { branch: "side" });
  await later.forget(id, { branch: "side" });
  const dates = [early, world.clock.now()];
  const expected = await answers(again, dates);
  await again.replica.close();
  return { home, paths, before, dates, expected };
}

type Lived = Awaited<ReturnType<typeof lived>>;

const damages: [string, (lived: Lived) => void][] = [
  ["is gone", ({ paths }) => rmSync(paths.index)],
  ["is empty", ({ paths }) => truncateSync(paths.index, 0)],
  ["is cut short", ({ paths }) => truncateSync(paths.index, Math.floor(statSync(paths.index).size / 2))],
  ["is cut within its first page", ({ paths }) => truncateSync(paths.index, 700)],
  ["is garbage", ({ paths }) => writeFileSync(paths.index, "no database at all ".repeat(1_000))],
  ["is damaged in the middle", ({ paths }) => overwrite(paths.index, 4_096 * 3, 4_096 * 12)],
  [
    "is damaged at the end",
    ({ paths }) => overwrite(paths.index, statSync(paths.index).size - 40_000, 40_000),
  ],
  ["is from before the last writes", ({ paths, before }) => copyFileSync(before.index, paths.index)],
  ["is of another version", ({ paths }) => setVersion(paths.index, 999)],
  ["is another database", ({ paths }) => otherDatabase(paths.index)],
  [
    "has a stray log of changes beside it",
    ({ paths }) => writeFileSync(`${paths.index}-wal`, "stray ".repeat(9_000)),
  ],
  ["is gone, but not its log of changes", ({ paths }) => leaveOnlyLog(paths.index)],
];

/** As a disk that fails does it: whole pages of something else. */
function overwrite(path: string, from: number, length: number): void {
  const file = openSync(path, "r+");
  const bytes = Buffer.alloc(Math.min(length, statSync(path).size - from), 0x5a);
  writeSync(file, bytes, 0, bytes.length, from);
  closeSync(file);
}

function setVersion(path: string, version: number): void {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
}

function otherDatabase(path: string): void {
  rmSync(path);
  const database = new DatabaseSync(path);
  database.exec(
    "CREATE TABLE branches (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO branches VALUES (1, 'x')",
  );
  database.close();
}

function leaveOnlyLog(path: string): void {
  writeFileSync(`${path}-wal`, readFileSync(path).subarray(0, 40_000));
  rmSync(path);
}

describe("an index that is not what its documents say", () => {
  test.each(damages)("[IX4] when the file %s, every answer is right at the next read", async (_, damage) => {
    await using world = new World(201);
    const given = await lived(world);
    damage(given);
    const device = await world.reopen(given.home);
    expect(await answers(device, given.dates)).toEqual(given.expected);
    const agent = device.space.as({ agent: "a" });
    const { id } = await agent.remember({ content: "written after" });
    expect(await device.space.get(id)).toMatchObject({ content: "written after" });
    await device.replica.close();
    const again = await world.reopen(given.home);
    expect(await again.space.get(id)).toMatchObject({ content: "written after" });
    expect((await again.space.status()).index.state).toBe("ready");
  });

  test("[IX4] an index that knows what its documents do not is not believed", async () => {
    await using world = new World(202);
    const { home, paths, before, dates } = await lived(world);
    copyFileSync(before.store, paths.store);
    for (const suffix of ["-wal", "-shm"]) rmSync(`${paths.store}${suffix}`, { force: true });
    const ahead = await world.reopen(home);
    const found = await answers(ahead, dates);
    await ahead.replica.close();
    rmSync(paths.index);
    const anew = await world.reopen(home);
    expect(found).toEqual(await answers(anew, dates));
    expect((await anew.space.list({ branch: "side" })).memories.map(({ content }) => content)).toEqual([
      "amber on the side",
      "birch",
    ]);
  });
});

test("[IX5] reading loads no branch document, and forking from now adds one row", async () => {
  await using world = new World(203);
  const { home, paths, dates, expected } = await lived(world);
  const loaded = vi.spyOn(Documents.prototype, "load");
  const peeked = vi.spyOn(Documents.prototype, "peek");
  const kinds = () => [...loaded.mock.calls, ...peeked.mock.calls].map(([kind]) => kind);
  try {
    const device = await world.reopen(home);
    expect(await answers(device, dates)).toEqual(expected);
    await device.space.branches.list();
    await device.space.conflicts();
    await device.space.branches.create("third");
    await device.space.list({ branch: "third" });
    expect(kinds()).not.toContain("branch");
    await device.replica.close();
  } finally {
    loaded.mockRestore();
    peeked.mockRestore();
  }
  const database = new DatabaseSync(paths.index);
  const [third] = database.prepare("SELECT id FROM branches ORDER BY id DESC LIMIT 1").all();
  for (const table of ["placed", "spans", "pending"]) {
    expect(
      database.prepare(`SELECT count(*) AS n FROM ${table} WHERE branch = ?`).get(third?.id ?? 0)?.n,
    ).toBe(0);
  }
  database.close();
});

test("[IX4] damage that shows while it is open is told once, and gone at the next read", async () => {
  await using world = new World(204);
  const { home, paths, dates, expected } = await lived(world);
  const device = await world.reopen(home);
  const { size } = statSync(paths.index);
  for (let page = 1; page < size / 4_096; page += 1) overwrite(paths.index, page * 4_096, 4_096);
  const first = await answers(device, dates).catch((error: unknown) => error);
  if (first instanceof Error) expect(first).toMatchObject({ code: "STORE_DAMAGED" });
  expect(await answers(device, dates)).toEqual(expected);
  expect(await answers(device, dates)).toEqual(expected);
});
