import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { markedEntry } from "@cambium/core/wire";
import { expect, test } from "vitest";
import { chunkTools } from "../src/chunk-tools.js";
import { openSqliteLog } from "../src/index.js";
import type { LogItem } from "../src/log/space-log.js";
import { documentHex, logChange, PackMaker, recordName } from "./support/change-maker.js";
import { relayLogContract } from "./support/relay-log-contract.js";

async function temporaryDirectory(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "cambium-log-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

relayLogContract("SQLite", async () => {
  const directory = await temporaryDirectory();
  return {
    open: async () => openSqliteLog(join(directory.path, "relay")),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
});

test("[RL6] the log is readable by its owner only", async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, "relay");
  const log = openSqliteLog(dataDir);
  await log.probe();
  const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
  expect(await mode(dataDir)).toBe(0o700);
  expect(await mode(join(dataDir, "relay.sqlite"))).toBe(0o600);
  expect(await mode(join(dataDir, "relay.sqlite-wal"))).toBe(0o600);
  await log.close();
});

test("[RL6] a second relay on the same directory is refused", async () => {
  await using directory = await temporaryDirectory();
  const log = openSqliteLog(directory.path);
  expect(() => openSqliteLog(directory.path)).toThrow(expect.objectContaining({ code: "STORE_FAILED" }));
  await log.close();
  await openSqliteLog(directory.path).close();
});

/** Which files of a directory hold a text. */
async function filesWith(directory: string, text: string | Buffer): Promise<readonly string[]> {
  const names = await readdir(directory);
  const contents = await Promise.all(names.map((name) => readFile(join(directory, name))));
  return names.filter((_, at) => contents[at]?.includes(text));
}

test("[RL118] once a retirement is answered, the bytes of the document are in no file of the log", async () => {
  await using directory = await temporaryDirectory();
  const log = openSqliteLog(directory.path);
  const [document, other] = [documentHex(1), documentHex(2)];
  const append = async (...items: readonly LogItem[]): Promise<void> => {
    expect(await log.spaces.append([{ space: "a", items }])).toMatchObject([{ kind: "appended" }]);
  };
  const [pack, kept] = [new PackMaker("aa"), new PackMaker("bb")];
  const names = Array.from({ length: 8 }, (_, at) => recordName(`${at}`));
  for (const name of names) {
    await append(...pack.write(name).map((chunk) => logChange(document, chunk)));
    await append(...kept.write(`f${name.slice(1)}`).map((chunk) => logChange(other, chunk)));
  }
  const search = (name: string): Promise<readonly string[]> => filesWith(directory.path, `sealed ${name}`);
  expect(await search(names[3] as string)).not.toEqual([]);
  const retire = { kind: "retire", document, carriedIn: [], erased: names } as const;
  await append({ ...retire, hash: markedEntry(retire, chunkTools).hash });
  for (const name of names) expect(await search(name)).toEqual([]);
  expect(await search(`f${names[3]?.slice(1)}`)).toEqual(["relay.sqlite"]);
  await log.close();
  for (const name of names) expect(await search(name)).toEqual([]);
});

test("[RL118] what was packed is erased too, once its segment is written anew, and what was beside it stays", async () => {
  await using directory = await temporaryDirectory();
  const log = openSqliteLog(directory.path);
  const [document, other] = [documentHex(1), documentHex(2)];
  const append = async (...items: readonly LogItem[]): Promise<void> => {
    expect(await log.spaces.append([{ space: "a", items }])).toMatchObject([{ kind: "appended" }]);
  };
  const [pack, kept] = [new PackMaker("aa"), new PackMaker("bb")];
  const names = Array.from({ length: 40 }, (_, at) => recordName(`${at}`));
  for (const name of names) {
    const chunks = pack.write(name).map((chunk) => logChange(document, chunk));
    await append(...chunks, ...kept.write(`f${name.slice(1)}`).map((chunk) => logChange(other, chunk)));
  }
  await log.shrink();
  const segment = await log.spaces.segmentAfter?.("a", 0);
  const packed = Buffer.from((segment as NonNullable<typeof segment>).bytes);
  expect(await filesWith(directory.path, packed)).toEqual(["relay.sqlite"]);
  const everything = await log.spaces.read({ space: "a", after: 0, maxBytes: 1e9 });
  const retire = { kind: "retire", document, carriedIn: [], erased: names } as const;
  await append({ ...retire, hash: markedEntry(retire, chunkTools).hash });
  // Nobody is given it from now on, and the packer is at work.
  expect(await log.spaces.segmentAfter?.("a", 0)).toBeUndefined();
  await log.pack?.();
  expect(await filesWith(directory.path, packed)).toEqual([]);
  expect(await filesWith(directory.path, packed.subarray(-200, -100))).toEqual([]);
  const anew = await log.spaces.segmentAfter?.("a", 0);
  expect(anew?.upTo).toEqual(segment?.upTo);
  const left = await log.spaces.read({ space: "a", after: 0, maxBytes: 1e9 });
  expect(left.slice(0, -1)).toEqual(
    everything.map((entry) => (entry.document === document ? { ...entry, bytes: undefined } : entry)),
  );
  await log.close();
});

test("[RL118] a file that was made before documents could be retired is opened, and can retire", async () => {
  await using directory = await temporaryDirectory();
  await openSqliteLog(directory.path).close();
  const database = new DatabaseSync(join(directory.path, "relay.sqlite"));
  database.exec("ALTER TABLE log_documents DROP COLUMN retired_at; PRAGMA user_version = 2;");
  database.close();
  const log = openSqliteLog(directory.path);
  const retire = { kind: "retire", document: documentHex(1), carriedIn: [], erased: [] } as const;
  const items = [{ ...retire, hash: markedEntry(retire, chunkTools).hash }];
  expect(await log.spaces.append([{ space: "a", items }])).toMatchObject([{ positions: [1] }]);
  await log.close();
});
