import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { BlobStore } from "../src/log/blobs/blob-store.js";
import { DirectoryBlobs } from "../src/log/blobs/directory-blobs.js";
import { S3Blobs } from "../src/log/blobs/s3-blobs.js";
import { openPostgres } from "../src/log/postgres/postgres-log.js";
import { checkLog } from "../src/operate/check-log.js";
import { documentHex } from "./support/change-maker.js";
import { realHistory } from "./support/made-up-changes.js";
import { hasPostgres, newPostgresStore, queryPostgres } from "./support/postgres-server.js";
import { S3_KEY, startS3Server } from "./support/s3-server.js";

const isSoak = process.env.CAMBIUM_SOAK === "1";
const SPACE = "team";
const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const BIN = script("../bin/cambium-relay.mjs");
const dir = mkdtempSync(join(tmpdir(), "cambium-postgres-killed-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

const CHANGES = isSoak ? 4_096 : 512;
const MOMENTS_MS = isSoak ? Array.from({ length: 24 }, (_, at) => at * 25) : [30];

async function filled(store: string): Promise<void> {
  const log = await openPostgres(store);
  const token = { tokenId: "one", space: SPACE, role: "admin", hash: "00".repeat(32) } as const;
  await log.createSpace(SPACE, { ...token, label: undefined, createdAt: 1, expiresAt: undefined });
  const changes = realHistory(documentHex(1), CHANGES, 2_048);
  for (let at = 0; at < CHANGES; at += 64) {
    const items = changes.slice(at, at + 64);
    expect(await log.spaces.append([{ space: SPACE, items }])).toMatchObject([{ kind: "appended" }]);
  }
  await log.close();
}

/** What a log gives to those who read it. */
async function contentOf(store: string, blobs: BlobStore | undefined): Promise<string> {
  const log = await openPostgres(store, blobs === undefined ? {} : { blobs });
  try {
    expect(await checkLog(log)).toEqual([]);
    const entries = await log.spaces.read({ space: SPACE, after: 0, maxBytes: Number.MAX_SAFE_INTEGER });
    const digest = createHash("sha256");
    for (const { position, hash, bytes } of entries) digest.update(`${position} ${hash}`).update(bytes ?? "");
    for (const { hash } of await log.tokensOf(SPACE)) digest.update(hash);
    return digest.digest("hex");
  } finally {
    await log.close();
  }
}

function run(...argv: readonly string[]): ChildProcess {
  const env = {
    ...process.env,
    CAMBIUM_RELAY_ADMIN_TOKEN: "cambium_relay_admin_of_the_killed_tests_0123456789",
  };
  const child = spawn(process.execPath, argv, { env, stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  return child;
}

const runPacker = (store: string, place: string): ChildProcess =>
  run(
    "--import",
    script("support/typescript-hooks.mjs"),
    script("support/postgres-packer-process.ts"),
    store,
    place,
  );

/** @returns whether it was killed in its work: a quick one may have ended */
async function killed(child: ChildProcess): Promise<boolean> {
  const ended = child.exitCode === null ? once(child, "exit") : undefined;
  child.kill("SIGKILL");
  await ended;
  return child.signalCode === "SIGKILL";
}

interface Place {
  /** As the packing process takes it. */
  readonly named: string;
  readonly blobs: BlobStore | undefined;
}

async function packAndKill({ named, blobs }: Place): Promise<void> {
  const store = await newPostgresStore();
  await filled(store);
  const content = await contentOf(store, blobs);
  let times = 0;
  for (const afterMs of MOMENTS_MS) {
    const child = runPacker(store, named);
    await once(child.stdout as NodeJS.ReadableStream, "data");
    await delay(afterMs);
    if (await killed(child)) times += 1;
    expect(await contentOf(store, blobs)).toBe(content);
    // What was begun long ago is given up, or finished.
    await queryPostgres(store, "UPDATE log_segments SET since = since - interval '2 hours'");
  }
  if (isSoak) expect(times).toBeGreaterThan(0);
  const [code] = (await once(runPacker(store, named), "exit")) as [number];
  expect(code).toBe(0);
  await queryPostgres(store, "UPDATE log_segments SET since = since - interval '2 hours'");
  const log = await openPostgres(store, blobs === undefined ? {} : { blobs });
  await log.packing.finish();
  for (let left = 3; left > 0; left -= 1) await log.packing.sweep();
  await log.close();
  expect(await contentOf(store, blobs)).toBe(content);
  const rows = (await queryPostgres(
    store,
    "SELECT blob, state, settled_to = up_to AS settled FROM log_segments",
  )) as {
    readonly blob: string;
    readonly state: number;
    readonly settled: boolean;
  }[];
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toMatchObject({ state: 1, settled: true });
  const inside = (await queryPostgres(store, "SELECT blob FROM log_blobs")) as { readonly blob: string }[];
  const outside: string[] = [];
  if (blobs !== undefined) for await (const { name } of blobs.list()) outside.push(name);
  const stored = [...inside.map(({ blob }) => blob), ...outside];
  expect(stored.toSorted()).toEqual(rows.map(({ blob }) => blob).toSorted());
}

describe.skipIf(!hasPostgres)("a relay on PostgreSQL that is killed", () => {
  test(
    "[RL171] while it packs into the database: every entry stays, and nothing is left over",
    () => packAndKill({ named: "", blobs: undefined }),
    300_000,
  );

  test("[RL171] while it packs into a directory: every entry stays, and nothing is left over", () => {
    const segments = join(dir, "segments");
    return packAndKill({ named: segments, blobs: new DirectoryBlobs(segments) });
  }, 300_000);

  test("[RL171] while it packs into S3: every entry stays, and nothing is left over", async () => {
    await using s3 = await startS3Server();
    const { endpoint, bucket } = s3;
    const place = { endpoint, bucket, region: "us-east-1", prefix: "relay/", keyId: S3_KEY, secret: S3_KEY };
    await packAndKill({ named: JSON.stringify(place), blobs: new S3Blobs(place) });
  }, 300_000);

  test("[RL101] while it brings the tables up to date: they are those of one version or the next", async () => {
    const store = await newPostgresStore();
    await filled(store);
    const content = await contentOf(store, undefined);
    const versionNow = async () =>
      (
        (await queryPostgres(store, "SELECT MAX(version) AS version FROM relay_schema")) as {
          version: number;
        }[]
      )[0]?.version;
    let times = 0;
    for (const afterMs of [...MOMENTS_MS.map((ms) => 150 + ms * 2)]) {
      await queryPostgres(
        store,
        "DROP TABLE IF EXISTS log_segments, log_blobs, log_packer; DELETE FROM relay_schema WHERE version > 1",
      );
      const child = run(BIN, "--store", store, "--port", "0", "--data", join(dir, "migrating"), "--json");
      await delay(afterMs);
      if ((await killed(child)) && (await versionNow()) === 1) times += 1;
      expect(await contentOf(store, undefined)).toBe(content);
      expect(await versionNow()).toBe(2);
    }
    if (isSoak) expect(times).toBeGreaterThan(0);
  }, 300_000);
});
