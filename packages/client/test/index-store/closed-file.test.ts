import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { SimulatedSpace } from "../../../core/test/support/simulated-space.js";
import { IndexedObserver } from "./support/indexed-observer.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-closed-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Words that no other version has. */
const wording = (version: number): string =>
  Array.from({ length: 400 }, (_, index) => `${index}word${version}`).join(" ");

test("[IX13] a closed index has no log and hardly a free page", async () => {
  using space = new SimulatedSpace(1);
  const writer = space.addReplica();
  const path = join(dir, "index.sqlite");
  const observer = new IndexedObserver(space, path);
  const id = await writer.remember(space.main, { content: wording(0) });
  const see = async () => {
    observer.receiveSealed(writer.sealed.keys(), writer);
    observer.receive(space.main, writer.changes(space.main), false);
    const row = await observer.index.prepare(space.main);
    observer.index.tables.commit();
    return row;
  };
  await see();
  for (let version = 1; version <= 60; version += 1) {
    space.tick();
    await writer.revise(space.main, id, { content: wording(version) });
    await see();
  }
  observer.close();
  expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  using database = new DatabaseSync(path);
  const { freelist_count: free } = database.prepare("PRAGMA freelist_count").get() ?? {};
  const { page_count: pages } = database.prepare("PRAGMA page_count").get() ?? {};
  expect(Number(free)).toBeLessThanOrEqual(Number(pages) / 32);
});
