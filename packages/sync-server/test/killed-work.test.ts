import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as A from "@automerge/automerge";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSqliteLog } from "../src/index.js";
import { LOG_FILE_NAME } from "../src/log/sqlite-log.js";
import { checkLog } from "../src/operate/check-log.js";
import { testDocumentId } from "./support/document-client.js";
import { writeFirstVersion } from "./support/first-version.js";
import { realHistory } from "./support/made-up-changes.js";

const isSoak = process.env.CAMBIUM_SOAK === "1";
const BIN = fileURLToPath(new URL("../bin/cambium-relay.mjs", import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "cambium-killed-work-"));
const whole = join(dir, "whole");
const copy = join(dir, "copy.sqlite");
const DOCUMENT = "11".repeat(16);
const [KEPT, GONE] = ["space-kept", "space-gone"] as const;
/** Of changes of 8 KiB: 2 MiB, or 48 MiB, of which a half is deleted. */
const CHANGES = isSoak ? 6_144 : 256;
/** From the moment in which the work begins. */
const MOMENTS_MS = isSoak ? Array.from({ length: 24 }, (_, at) => at * 20) : [4, 20];

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

beforeAll(async () => {
  const log = openSqliteLog(whole);
  for (const space of [GONE, KEPT]) {
    await log.createSpace(space, {
      ...{
        tokenId: `${space}-1`,
        space,
        role: "admin",
        hash: createHash("sha256").update(space).digest("hex"),
      },
      ...{ label: undefined, createdAt: 1, expiresAt: undefined },
    });
    const changes = realHistory(DOCUMENT, CHANGES, 8_192);
    for (let at = 0; at < CHANGES; at += 64) {
      const items = changes.slice(at, at + 64);
      const [outcome] = await log.spaces.append([{ space, items }]);
      expect(outcome).toMatchObject({ kind: "appended" });
    }
  }
  await log.backupTo(copy, 1);
  await log.deleteSpace(GONE);
  await log.close();
});

/** What a log gives to those who read it. */
async function contentOf(data: string): Promise<string> {
  const log = openSqliteLog(data);
  try {
    expect(await checkLog(log)).toEqual([]);
    const digest = createHash("sha256");
    for (const { space } of await log.listSpaces()) {
      digest.update(space);
      for (const { hash } of await log.tokensOf(space)) digest.update(hash);
      for (let after = 0; ; ) {
        const entries = await log.spaces.read({ space, after, maxBytes: 2 ** 20 });
        if (entries.length === 0) break;
        for (const entry of entries) {
          digest.update(JSON.stringify([entry.position, entry.hash]));
          if ("bytes" in entry && entry.bytes !== undefined) digest.update(entry.bytes as Uint8Array);
          after = entry.position;
        }
      }
    }
    return digest.digest("hex");
  } finally {
    await log.close();
  }
}

interface Killed {
  readonly argv: readonly string[];
  /** Is there once the work has begun. */
  readonly sign: string;
  readonly afterMs: number;
}

/** @returns whether it was killed in its work: a quick one may have ended */
async function killAtWork({ argv, sign, afterMs }: Killed): Promise<boolean> {
  const child = spawn(process.execPath, [BIN, ...argv], { stdio: "ignore" });
  children.push(child);
  const ended = once(child, "exit");
  while (!existsSync(sign) && child.exitCode === null) await delay(1);
  await delay(afterMs);
  child.kill("SIGKILL");
  const [, signal] = (await ended) as [number | null, string | null];
  return signal === "SIGKILL";
}

async function finish(...argv: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [BIN, ...argv], { stdio: "ignore" });
  children.push(child);
  const [code] = (await once(child, "exit")) as [number];
  return code;
}

test("[RO9] a restore that is killed leaves no log, or a whole one, and can be made again", async () => {
  const before = readFileSync(copy);
  const expected = join(dir, "expected");
  expect(await finish("restore", copy, "--data", expected)).toBe(0);
  const content = await contentOf(expected);
  let killed = 0;
  for (const afterMs of MOMENTS_MS) {
    const data = join(dir, `restored-${afterMs}`);
    const argv = ["restore", copy, "--data", data];
    if (await killAtWork({ argv, sign: join(data, "restoring"), afterMs })) killed += 1;
    if (!existsSync(join(data, LOG_FILE_NAME))) expect(await finish(...argv)).toBe(0);
    expect(await contentOf(data)).toBe(content);
    rmSync(data, { recursive: true });
  }
  expect(readFileSync(copy).equals(before)).toBe(true);
  if (isSoak) expect(killed).toBeGreaterThan(0);
});

test("[RO10] [RL124] packing and compaction that are killed lose nothing, and go on the next time", async () => {
  const content = await contentOf(whole);
  const data = join(dir, "compacted");
  let killed = 0;
  for (const afterMs of MOMENTS_MS) {
    rmSync(data, { recursive: true, force: true });
    cpSync(whole, data, { recursive: true });
    const work = { argv: ["compact", "--data", data], sign: join(data, `${LOG_FILE_NAME}-wal`), afterMs };
    if (await killAtWork(work)) killed += 1;
    expect(await contentOf(data)).toBe(content);
  }
  expect(await finish("compact", "--data", data)).toBe(0);
  expect(await contentOf(data)).toBe(content);
  const file = new DatabaseSync(join(data, LOG_FILE_NAME));
  expect(file.prepare("SELECT SUM(up_to - after) AS packed FROM log_segments").get()?.packed).toBe(CHANGES);
  file.close();
  if (isSoak) expect(killed).toBeGreaterThan(0);
});

test("[RL34] a log of the first version is brought over whole, also when that is killed before", async () => {
  const first = join(dir, "first");
  mkdirSync(first);
  await openSqliteLog(first).close();
  let doc = A.from<Record<string, Uint8Array>>({}, "aa".repeat(16));
  for (let at = 0; at < 20; at += 1)
    doc = A.change(doc, (notes) => {
      notes[`note ${at}`] = new Uint8Array(randomBytes(8_192));
    });
  const changes = A.getAllChanges(doc);
  writeFirstVersion(
    first,
    Array.from({ length: isSoak ? 150 : 5 }, (_, at) => ({
      ...{ space: KEPT, documentId: testDocumentId(at + 1), doc, changes },
    })),
  );
  const file = new DatabaseSync(join(first, LOG_FILE_NAME));
  file.prepare("INSERT INTO spaces VALUES (?, 1)").run(KEPT);
  file.close();
  const sound = join(dir, "brought");
  cpSync(first, sound, { recursive: true });
  const content = await contentOf(sound);
  let killed = 0;
  for (const afterMs of MOMENTS_MS) {
    const data = join(dir, `brought-${afterMs}`);
    cpSync(first, data, { recursive: true });
    const work = { argv: ["--port", "0", "--data", data], sign: join(data, `${LOG_FILE_NAME}-wal`), afterMs };
    if ((await killAtWork(work)) && versionOf(data) === 1) killed += 1;
    expect(await contentOf(data)).toBe(content);
    rmSync(data, { recursive: true });
  }
  if (isSoak) expect(killed).toBeGreaterThan(0);
});

function versionOf(data: string): unknown {
  const file = new DatabaseSync(join(data, LOG_FILE_NAME));
  try {
    return file.prepare("PRAGMA user_version").get()?.user_version;
  } finally {
    file.close();
  }
}
