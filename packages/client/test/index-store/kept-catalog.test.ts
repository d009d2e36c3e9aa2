import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { catalogDocumentId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { Process } from "../support/processes.js";
import { storePath } from "../support/stored.js";
import { contentsOf, type Device, numbered, synced, World } from "../support/world.js";

const offline = { connect: false } as const;
const READER = fileURLToPath(new URL("./support/reader-process.mjs", import.meta.url));

const indexPath = ({ home, space }: Device): string => join(home.dir, "spaces", space.id, "index.sqlite");

const branchNames = async ({ space }: Device): Promise<readonly string[]> =>
  (await space.branches.list()).map(({ name }) => name);

/** A closed home with a few memories, and a branch that only the catalog knows of. */
async function closedHome(world: World): Promise<Device> {
  const device = await world.found("first", offline);
  const agent = device.space.as({ agent: "a" });
  for (const content of numbered(4, "whole")) await agent.remember({ content });
  await agent.branches.create("side");
  await agent.branches.list(); // names are records: whoever first asks for one opens it
  await device.replica.close();
  return device;
}

test("[IX11] a process that only reads loads neither Automerge nor what speaks to a relay, checks schemas or reads dates", async () => {
  await using world = new World(700);
  const { home } = await closedHome(world);
  const { dir, stateDir } = home;
  await using reader = new Process(READER, [JSON.stringify({ dir, stateDir, now: world.clock.now() })]);
  const [line = "{}"] = await reader.said();
  const { found, loaded } = JSON.parse(line) as { readonly found: unknown; readonly loaded: string[] };
  expect(found).toEqual({ listed: 4, recalled: 4, got: true, past: 4, versions: 1, changes: 4, branches: 2 });
  expect(loaded).toEqual(["@noble/hashes", "cborg", "node-diff3"]);
});

describe("[IX12] a kept catalog counts only for what its document holds now", () => {
  test("an index from before the catalog changed does not hide the change", async () => {
    await using world = new World(701);
    const first = await closedHome(world);
    copyFileSync(indexPath(first), join(world.root, "older"));
    const second = await world.reopen(first.home, offline);
    await second.space.branches.create("later");
    await second.replica.close();
    copyFileSync(join(world.root, "older"), indexPath(first));
    expect(await branchNames(await world.reopen(first.home, offline))).toEqual(["main", "later", "side"]);
  });

  test("an index from after the catalog changed does not show what the restored store lacks", async () => {
    await using world = new World(702);
    const first = await closedHome(world);
    const store = storePath(first.home, first.space.id);
    copyFileSync(store, join(world.root, "older"));
    const second = await world.reopen(first.home, offline);
    await second.space.branches.create("later");
    await second.replica.close();
    for (const suffix of ["-wal", "-shm"]) rmSync(`${store}${suffix}`, { force: true });
    copyFileSync(join(world.root, "older"), store);
    expect(await branchNames(await world.reopen(first.home, offline))).toEqual(["main", "side"]);
  });

  test("a process that died before it kept what it had changed", async () => {
    await using world = new World(703);
    const first = await closedHome(world);
    const second = await world.reopen(first.home, offline);
    await second.space.branches.create("later");
    const copy = world.newHome("copy");
    world.copy(first.home.dir, copy.dir); // as the disk is when it is pulled out
    expect(await branchNames(await world.reopen(copy, offline))).toEqual(["main", "later", "side"]);
  });

  test.each([
    ["content", "substr(content, 1, 100) || x'00' || substr(content, 102)"],
    ["content", "x'82'"],
    ["foreign_changes", "foreign_changes + 1"],
    ["checksum", "'none'"],
    ["heads", "heads || heads"],
  ])("nor when its %s was altered: %s", async (column, expression) => {
    await using world = new World(704);
    const first = await closedHome(world);
    const index = new DatabaseSync(indexPath(first));
    expect(index.prepare("SELECT count(*) AS kept FROM catalog").get()).toEqual({ kept: 1 });
    index.exec(
      `UPDATE catalog SET ${column} = CAST(${expression} AS ${column === "content" ? "BLOB" : "TEXT"})`,
    );
    index.close();
    const again = await world.reopen(first.home, offline);
    expect(await branchNames(again)).toEqual(["main", "side"]);
    expect(await contentsOf(again)).toHaveLength(4);
    expect((await again.space.status()).notices).toEqual([]);
  });

  test("what a relay brings is shown at once and in the next session, and what is here reaches it", async () => {
    await using world = await World.withRelay(705);
    const first = await world.found("first");
    const second = await world.join(first, "second");
    await synced(second);
    await second.replica.close();
    await first.space.branches.create("theirs");
    await synced(first);

    const reading = await world.reopen(second.home, offline);
    expect(await branchNames(reading)).toEqual(["main"]);
    await reading.replica.close();
    const connected = await world.reopen(second.home);
    await synced(connected);
    expect(await branchNames(connected)).toEqual(["main", "theirs"]);
    await connected.replica.close();

    const writing = await world.reopen(second.home, offline);
    expect(await branchNames(writing)).toEqual(["main", "theirs"]);
    await writing.space.branches.create("ours");
    await writing.replica.close();
    await synced(await world.reopen(second.home));
    await synced(first);
    expect(await branchNames(first)).toEqual(["main", "ours", "theirs"]);
  });

  test("a damaged catalog is read as it was kept, noticed when it is written, and not after that believed whole", async () => {
    await using world = new World(706);
    const first = await closedHome(world);
    const store = new DatabaseSync(storePath(first.home, first.space.id));
    const document = catalogDocumentId(first.space.id);
    store
      .prepare(
        `UPDATE contents SET bytes = zeroblob(length(bytes))
         WHERE id IN (SELECT content FROM chunks WHERE key > ? AND key < ?)`,
      )
      .run(`${document}/`, `${document}0`);
    store.close();

    const again = await world.reopen(first.home, offline);
    expect(await branchNames(again)).toEqual(["main", "side"]);
    await again.space.branches.create("later");
    expect((await again.space.status()).replica.epoch).toBe(1);
    await again.replica.close();

    const last = await world.reopen(first.home, offline);
    expect(await branchNames(last)).toEqual(["main", "later"]);
    expect(await contentsOf(last)).toHaveLength(4);
    expect((await last.space.status()).notices.join()).toContain("it was set aside");
  });
});
