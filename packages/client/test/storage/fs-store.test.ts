import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checksumOf } from "../../src/storage/checksum.js";
import { type DurableFiles, nodeFiles } from "../../src/storage/durable-files.js";
import { keyToPath } from "../../src/storage/fs-layout.js";
import { openFsStore } from "../../src/storage/fs-store.js";
import type { ReplicaStore } from "../../src/storage/store.js";
import { fsPath, temporaryDirectories } from "./places.js";

const newDirectory = temporaryDirectories();
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** Files that fail for good at operation number `failAt`, half done if it writes. Counts the operations. */
function failingFiles(failAt: number): { files: DurableFiles; count: () => number } {
  let operations = 0;
  const guardOperation = async (whole: () => Promise<void>, half: () => Promise<void>): Promise<void> => {
    operations += 1;
    if (operations < failAt) return whole();
    if (operations === failAt) await half();
    throw Object.assign(new Error("No space left on device"), { code: "ENOSPC" });
  };
  const nothing = async (): Promise<void> => {};
  const files: DurableFiles = {
    append: (path, text) =>
      guardOperation(
        () => nodeFiles.append(path, text),
        () => nodeFiles.append(path, text.slice(0, text.length / 2)),
      ),
    write: (path, content) =>
      guardOperation(
        () => nodeFiles.write(path, content),
        () => nodeFiles.write(path, content.slice(0, content.length / 2)),
      ),
    rename: (from, to) => guardOperation(() => nodeFiles.rename(from, to), nothing),
    link: (from, to) => guardOperation(() => nodeFiles.link(from, to), nothing),
    remove: (path) => guardOperation(() => nodeFiles.remove(path), nothing),
    makeDirectory: (path) => guardOperation(() => nodeFiles.makeDirectory(path), nothing),
    syncDirectory: (path) => guardOperation(() => nodeFiles.syncDirectory(path), nothing),
    empty: (path) => guardOperation(() => nodeFiles.empty(path), nothing),
  };
  return { files, count: () => operations };
}

/** Four steps, each a transaction that also writes its number down; returns the last that was acknowledged. */
async function writeSteps(dir: string, files: DurableFiles): Promise<number> {
  let acknowledged = 0;
  const steps: ((store: ReplicaStore) => Promise<unknown>)[] = [
    (s) => Promise.all([s.save(SNAPSHOT, bytes(1)), s.save(INCREMENTAL, bytes(2)), markStep(s, 1)]),
    (s) => Promise.all([s.save(SNAPSHOT, bytes(3)), s.remove(INCREMENTAL), markStep(s, 2)]),
    async (s) => {
      await s.copyDocument("one-document", "its-copy");
      return Promise.all([s.save(OTHER, bytes(4)), s.save(LATER, bytes(5)), markStep(s, 3)]);
    },
    (s) => Promise.all([s.removeDocument("two-document"), markStep(s, 4)]),
  ];
  let store: ReplicaStore | undefined;
  try {
    store = await openFsStore({ dir, files });
    for (const step of steps) {
      await step(store);
      await store.flushed();
      acknowledged += 1;
    }
  } catch {
    // The fault. What counts is what the next open finds.
  } finally {
    await store?.close();
  }
  return acknowledged;
}

const SNAPSHOT = ["one-document", "snapshot", "s"];
const INCREMENTAL = ["one-document", "incremental", "i"];
const LATER = ["one-document", "incremental", "later"];
const OTHER = ["two-document", "snapshot", "s"];

async function markStep(store: ReplicaStore, step: number): Promise<void> {
  store.putRow({ documentId: "steps", localHeads: [`${step}`], receiptedHeads: [], receiptedAt: undefined });
}

/** What must be there after each step. */
const CONTENT_AFTER: readonly Record<string, number>[] = [
  {},
  { [SNAPSHOT.join("/")]: 1, [INCREMENTAL.join("/")]: 2 },
  { [SNAPSHOT.join("/")]: 3 },
  { [SNAPSHOT.join("/")]: 3, [LATER.join("/")]: 5, [OTHER.join("/")]: 4, "its-copy/snapshot/s": 3 },
  { [SNAPSHOT.join("/")]: 3, [LATER.join("/")]: 5, "its-copy/snapshot/s": 3 },
];

test("[ST13] a file store stopped at any file operation holds whole transactions, and all acknowledged ones", async () => {
  const { files, count } = failingFiles(Number.POSITIVE_INFINITY);
  expect(await writeSteps(newDirectory(), files)).toBe(4);
  const total = count();
  expect(total).toBeGreaterThan(30);
  for (let failAt = 1; failAt <= total; failAt++) {
    const dir = newDirectory();
    const acknowledged = await writeSteps(dir, failingFiles(failAt).files);
    await using store = await openFsStore({ dir });
    const content: Record<string, number> = {};
    for (const id of ["one-document", "two-document", "its-copy"]) {
      for (const { key, data } of await store.loadRange([id])) content[key.join("/")] = data?.[0] ?? -1;
    }
    const last = Number(store.row("steps")?.localHeads[0] ?? 0);
    const label = `stopped at operation ${failAt} of ${total}`;
    expect(last, label).toBeGreaterThanOrEqual(acknowledged);
    // The copy is a transaction of its own, before that of step 3.
    const copied = { ...CONTENT_AFTER[2], "its-copy/snapshot/s": 3 };
    expect([CONTENT_AFTER[last], ...(last === 2 ? [copied] : [])], label).toContainEqual(content);
    expect(store.quarantined(), label).toEqual([]);
    expect((await store.verify()).problems, label).toEqual([]);
  }
});

test("[ST14] damage to a line of the index costs that line, and never the chunk", async () => {
  const dir = newDirectory();
  const incremental = ["some-document", "incremental", checksumOf(bytes(1)).sha256];
  const snapshot = ["some-document", "snapshot", "s"];
  {
    await using store = await openFsStore({ dir });
    void store.save(incremental, bytes(1));
    void store.save(snapshot, bytes(2));
    void store.save(["other-document", "snapshot", "s"], bytes(3));
  }
  const index = readFileSync(join(dir, "index"), "utf8");
  writeFileSync(join(dir, "index"), index.replaceAll('["some-document"', '["soMe-document"'));
  await using store = await openFsStore({ dir });
  expect(await store.loadRange(["some-document"])).toEqual([{ key: incremental, data: bytes(1) }]); // vouches for itself
  expect(store.quarantined()).toMatchObject([{ key: snapshot, reason: "unlisted", sizeBytes: 1 }]);
  expect(await store.load(["other-document", "snapshot", "s"])).toEqual(bytes(3));
  expect((await store.verify()).problems).toEqual([
    "Damaged lines in the index: 2; the rows in them are left out.",
  ]);
});

test("[RQ1] a store from before there were requests keeps what it holds", async () => {
  const dir = newDirectory();
  const key = ["some-document", "snapshot", "s"];
  {
    await using store = await openFsStore({ dir });
    void store.save(key, bytes(1));
  }
  const path = join(dir, "index");
  const older = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.slice(line.indexOf(" ") + 1).replace('"version":2', '"version":1'))
    .map((json) => `${checksumOf(Buffer.from(json)).sha256.slice(0, 32)} ${json}\n`);
  writeFileSync(path, older.join(""));
  await using store = await openFsStore({ dir });
  expect(await store.load(key)).toEqual(bytes(1));
  expect((await store.verify()).problems).toEqual([]);
});

test("[ST14] what a newer version wrote is refused and left alone", async () => {
  const dir = newDirectory();
  const json = JSON.stringify({ version: 3, sequence: 1, operations: [{ type: "unheard-of" }] });
  const line = `${checksumOf(Buffer.from(json)).sha256.slice(0, 32)} ${json}\n`;
  writeFileSync(join(dir, "index"), line);
  await expect(openFsStore({ dir })).rejects.toMatchObject({ code: "SCHEMA_TOO_NEW" });
  expect(readFileSync(join(dir, "index"), "utf8")).toBe(line);
});

test("[ST7] a chunk whose file is gone is named", async () => {
  const dir = newDirectory();
  const key = ["some-document", "snapshot", "s"];
  {
    await using store = await openFsStore({ dir });
    void store.save(key, bytes(1));
  }
  await nodeFiles.remove(fsPath(dir, key));
  writeFileSync(join(dir, "documents", "stray"), "");
  await using store = await openFsStore({ dir });
  const report = await store.verify();
  expect(report.damaged).toMatchObject([{ key, reason: "missing" }]);
  expect(report.problems).toEqual(["The file documents/stray is not part of the store."]);
});

test("[ST15] files and directories are closed to everyone else", async () => {
  const dir = join(newDirectory(), "store");
  const store = await openFsStore({ dir });
  await store.save(["some-document", "snapshot", "s"], bytes(1));
  await store.close();
  for (const name of ["", ...(readdirSync(dir, { recursive: true }) as string[])]) {
    const stat = statSync(join(dir, name));
    expect((stat.mode & 0o777).toString(8), name).toBe(stat.isDirectory() ? "700" : "600");
  }
});

test("[ST6] a removed document leaves no bytes in any file", async () => {
  const dir = newDirectory();
  await using store = await openFsStore({ dir });
  const secret = Buffer.from("a secret that must go");
  await store.save(["some-document", "snapshot", "s"], secret);
  await store.removeDocument("some-document");
  for (const name of readdirSync(dir, { recursive: true }) as string[]) {
    const path = join(dir, name);
    if (!statSync(path).isFile()) continue;
    const text = readFileSync(path, "latin1");
    expect(text.includes(secret.toString()) || text.includes(secret.toString("base64")), name).toBe(false);
  }
});

test("[ST2] automerge-repo's own keys keep the stock layout, and no key leads out of it", () => {
  expect(keyToPath(["4NMNnkMhL8jXrdJ9jamS58PAVdXu", "snapshot", "ab12"])).toBe(
    "4N/MNnkMhL8jXrdJ9jamS58PAVdXu/snapshot/ab12",
  );
  expect(keyToPath(["storage-adapter-id"])).toBe("st/orage-adapter-id");
  expect(keyToPath(["..", "../..", "."])).toBe("%2/e./%2e.%2f../%2e");
  expect(existsSync(join(newDirectory(), "documents"))).toBe(false);
});
