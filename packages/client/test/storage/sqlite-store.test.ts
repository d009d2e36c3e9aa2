import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isCambiumError } from "@cambium/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openSqliteStore } from "../../src/storage/sqlite-store.js";
import { sqlitePath, temporaryDirectories } from "./places.js";

const newDirectory = temporaryDirectories();
const key = (name: number) => ["some-document", name % 3 === 0 ? "snapshot" : "incremental", `chunk${name}`];
const content = (name: number) => new Uint8Array((name * 977) % 9000).fill(name);
const CHUNKS = 40;

async function makeDatabase(): Promise<Uint8Array> {
  const path = sqlitePath(newDirectory());
  const store = await openSqliteStore({ path });
  for (let name = 0; name < CHUNKS; name++) void store.save(key(name), content(name));
  await store.close();
  return readFileSync(path);
}

test("[ST14] no damage to the database file passes for content, and none goes unnamed", async () => {
  const whole = await makeDatabase();
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (offset, mask) => {
      const path = sqlitePath(newDirectory());
      writeFileSync(
        path,
        whole.map((byte, index) => (index === offset ? byte ^ mask : byte)),
      );
      try {
        await using store = await openSqliteStore({ path });
        const found = new Map(
          (await store.loadRange(["some-document"])).map((chunk) => [chunk.key.join(), chunk.data]),
        );
        for (const [name, data] of found) expect(data).toEqual(content(Number(/\d+$/.exec(name)?.[0])));
        const { damaged, problems } = await store.verify();
        if (found.size < CHUNKS) expect(damaged.length + problems.length).toBeGreaterThan(0);
      } catch (error) {
        if (!isCambiumError(error, "STORE_DAMAGED")) throw error;
      }
    }),
    { numRuns: 60, examples: [[Buffer.from(whole).indexOf("contents"), 1]] },
  );
});

test("[ST14] a write that damage to the database file stops says that it is damaged", async () => {
  const whole = await makeDatabase();
  const PAGE = 4096;
  const codes: unknown[] = [];
  for (let at = PAGE; at < whole.length; at += PAGE) {
    const path = sqlitePath(newDirectory());
    writeFileSync(
      path,
      whole.map((byte, index) => (index === at ? byte ^ 0x40 : byte)),
    );
    const store = await openSqliteStore({ path }).catch(() => undefined); // refused is named already
    if (store === undefined) continue;
    const outcome: unknown = await store
      .save(key(CHUNKS), content(5))
      .then(() => store.flushed())
      .catch((error: unknown) => error);
    await store.close().catch(() => undefined);
    if (outcome !== undefined) codes.push((outcome as { code?: unknown }).code);
  }
  expect(codes.length).toBeGreaterThan(0);
  expect(new Set(codes)).toEqual(new Set(["STORE_DAMAGED"]));
});

test("[ST14] a store that gives room back when it is closed makes nothing of damage", async () => {
  const origin = sqlitePath(newDirectory());
  const store = await openSqliteStore({ path: origin });
  for (let name = 0; name < CHUNKS; name++) void store.save(key(name), content(name));
  await store.close();
  const kept = Array.from({ length: CHUNKS }, (_, name) => name).filter((name) => name % 4 === 3);
  {
    // Removed from the database alone: a store would give the room back at once.
    using database = new DatabaseSync(origin);
    const isKept = kept.map((name) => `key NOT LIKE '%/chunk${name}/'`).join(" AND ");
    database.exec(`DELETE FROM chunks WHERE ${isKept}`);
    expect(Number(database.prepare("PRAGMA freelist_count").get()?.freelist_count)).toBeGreaterThan(10);
  }
  const whole = readFileSync(origin);
  const readAll = async (path: string): Promise<number> => {
    await using again = await openSqliteStore({ path });
    const found = await again.loadRange(["some-document"]);
    for (const chunk of found)
      expect(chunk.data).toEqual(content(Number(/\d+$/.exec(chunk.key.join())?.[0])));
    if (found.length === kept.length) return found.length;
    const { damaged, problems } = await again.verify();
    expect(damaged.length + problems.length).toBeGreaterThan(0);
    return found.length;
  };
  const path = sqlitePath(newDirectory());
  writeFileSync(path, whole);
  expect([await readAll(path), await readAll(path)]).toEqual([kept.length, kept.length]);
  expect(statSync(path).size).toBeLessThan(whole.length / 2);
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (offset, mask) => {
      const damagedPath = sqlitePath(newDirectory());
      writeFileSync(
        damagedPath,
        whole.map((byte, index) => (index === offset ? byte ^ mask : byte)),
      );
      try {
        for (let opening = 0; opening < 3; opening += 1) await readAll(damagedPath);
      } catch (error) {
        if (!isCambiumError(error, "STORE_DAMAGED")) throw error;
      }
    }),
    { numRuns: 60 },
  );
});

test("[ST15] a second opening is refused, and the files are closed to everyone else", async () => {
  const dir = newDirectory();
  await using store = await openSqliteStore({ path: sqlitePath(dir) });
  await store.save(key(1), content(1));
  await expect(openSqliteStore({ path: sqlitePath(dir) })).rejects.toMatchObject({ code: "REPLICA_LOCKED" });
  for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777, name).toBe(0o600);
});

test("[ST15] what is no database, or a newer one, is refused and left alone", async () => {
  const path = sqlitePath(newDirectory());
  writeFileSync(path, "This was never a database, it only has the name of one.".repeat(100));
  await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: "STORE_DAMAGED" });

  const newer = sqlitePath(newDirectory());
  {
    using database = new DatabaseSync(newer);
    database.exec("PRAGMA user_version = 999");
  }
  await expect(openSqliteStore({ path: newer })).rejects.toMatchObject({ code: "SCHEMA_TOO_NEW" });
  await expect(openSqliteStore({ path: join(newer, "x") })).rejects.toMatchObject({ code: "STORE_FAILED" });
});

test("[ST14] a damaged row is left out and named", async () => {
  const path = sqlitePath(newDirectory());
  const row = { documentId: "some-document", localHeads: ["aa"], receiptedHeads: ["aa"], receiptedAt: 3 };
  {
    await using store = await openSqliteStore({ path });
    store.putRow(row);
    store.putRow({ ...row, documentId: "other-document" });
  }
  {
    using database = new DatabaseSync(path);
    database.exec("UPDATE documents SET row = replace(row, 'aa', 'ab') WHERE document_id = 'some-document'");
  }
  await using store = await openSqliteStore({ path });
  expect(store.rows()).toEqual([{ ...row, documentId: "other-document" }]);
  expect((await store.verify()).problems).toEqual([
    "The row of document some-document was damaged and is left out.",
  ]);
});

test("[ST6] a removed document leaves no bytes in the database or its log", async () => {
  const dir = newDirectory();
  await using store = await openSqliteStore({ path: sqlitePath(dir) });
  const secret = "a secret that must go";
  await store.save(key(1), Buffer.from(secret.repeat(1000)));
  await store.removeDocument("some-document");
  for (const name of readdirSync(dir)) {
    expect(readFileSync(join(dir, name), "latin1").includes(secret), name).toBe(false);
  }
});

test("[RQ1] a store from before there were requests is brought up to date, and keeps what it holds", async () => {
  const path = sqlitePath(newDirectory());
  {
    await using store = await openSqliteStore({ path });
    await store.save(key(1), content(1));
  }
  {
    using database = new DatabaseSync(path);
    database.exec("DROP TABLE requests; PRAGMA user_version = 1");
  }
  const note = { key: "k", fingerprint: "f", change: "c", type: "remember", branch: "b", memories: 1, at: 1 };
  {
    await using store = await openSqliteStore({ path });
    expect(store.request("k")).toBeUndefined();
    store.noteRequest(note);
  }
  await using store = await openSqliteStore({ path });
  expect(store.request("k")).toEqual(note);
  expect(await store.load(key(1))).toEqual(content(1));
});

test("[RQ1] a damaged request counts as none", async () => {
  const path = sqlitePath(newDirectory());
  const note = { key: "k", fingerprint: "f", change: "c", type: "remember", branch: "b", memories: 1, at: 1 };
  {
    await using store = await openSqliteStore({ path });
    store.noteRequest(note);
  }
  {
    using database = new DatabaseSync(path);
    database.exec(`UPDATE requests SET note = replace(note, '"c"', '"d"')`);
  }
  await using store = await openSqliteStore({ path });
  expect(store.request("k")).toBeUndefined();
  store.noteRequest(note);
  await store.flushed();
  expect(store.request("k")).toEqual(note);
});
