import { markedEntry } from "@cambium/core/wire";
import { describe, expect, test } from "vitest";
import { draws } from "../../core/test/support/random-documents.js";
import { chunkTools } from "../src/chunk-tools.js";
import type { BlobStore } from "../src/log/blobs/blob-store.js";
import type { PostgresPacking } from "../src/log/postgres/packing.js";
import { openPostgres } from "../src/log/postgres/postgres-log.js";
import type { NewSegment } from "../src/log/segments/segment-store.js";
import type { LogEntry } from "../src/log/space-log.js";
import { documentHex, logChange, PackMaker, recordName } from "./support/change-maker.js";
import { MemoryBlobs } from "./support/memory-blobs.js";
import { hasPostgres, newPostgresStore, queryPostgres } from "./support/postgres-server.js";
import {
  PackedLog,
  type PackedStore,
  SMALL_SIZES as SIZES,
  PACKED_SPACE as SPACE,
  segmentsContract,
} from "./support/segments-contract.js";

const COUNTS = `
SELECT (SELECT COUNT(bytes)::integer FROM log_entries) AS loose,
  (SELECT COUNT(*)::integer FROM log_segments WHERE state IN (1, 2)) AS segments,
  (SELECT COALESCE(SUM(octet_length(bytes)), 0) FROM log_entries)::integer
    + (SELECT COALESCE(SUM(stored_bytes), 0) FROM log_segments WHERE state IN (1, 2))::integer AS bytes`;
const ROWS =
  "SELECT position, encode(hash || mark || deps, 'hex') AS rest, number FROM log_entries ORDER BY position";

const SPANS =
  "SELECT SUM(up_to - after)::integer AS sum, MAX(up_to)::integer AS last FROM log_segments WHERE state = 1";

interface OpenStore extends PackedStore, AsyncDisposable {
  readonly url: string;
  readonly relay: Awaited<ReturnType<typeof openPostgres>>;
  readonly packing: PostgresPacking;
}

async function openStore(
  given: { url?: string; blobs?: BlobStore; clock?: { now: number }; leastOutsideBytes?: number } = {},
): Promise<OpenStore> {
  const { url = await newPostgresStore(), clock = { now: 0 }, blobs, leastOutsideBytes = 1 } = given;
  const outside = blobs === undefined ? {} : { blobs, leastOutsideBytes };
  const relay = await openPostgres(url, { now: () => clock.now, sizes: SIZES, ...outside });
  const opened = [relay];
  return {
    ...{
      url,
      relay,
      clock,
      packer: relay.packer,
      packing: relay.packing,
      log: relay.spaces as PackedStore["log"],
    },
    reopened: async () => {
      const again = await openStore({ ...given, url, clock });
      opened.push(again.relay);
      return again;
    },
    rows: () => queryPostgres(url, ROWS),
    counts: async () => (await queryPostgres(url, COUNTS))[0] as Awaited<ReturnType<PackedStore["counts"]>>,
    usage: () => relay.usage(SPACE),
    spoilHash: async (position) =>
      void (await queryPostgres(
        url,
        `UPDATE log_entries SET hash = decode(repeat('00', 32), 'hex') WHERE position = ${position}`,
      )),
    spoilSegments: async () => void (await queryPostgres(url, "UPDATE log_blobs SET bytes = '\\x00'")),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((log) => log.close()));
    },
  };
}

/** Blobs that a segment names, and all that there are. */
async function blobsOf({ url }: OpenStore, blobs?: MemoryBlobs) {
  const named = (await queryPostgres(url, "SELECT blob, state FROM log_segments")) as {
    blob: string;
    state: number;
  }[];
  const inside = (await queryPostgres(url, "SELECT blob FROM log_blobs")) as { blob: string }[];
  const stored = blobs === undefined ? inside.map(({ blob }) => blob) : [...blobs.blobs.keys()];
  return { named: named.map(({ blob }) => blob).toSorted(), stored: stored.toSorted() };
}

/** What was begun long ago is given up. */
const wait = (url: string): Promise<unknown> =>
  queryPostgres(url, "UPDATE log_segments SET since = since - interval '2 hours'");

describe.skipIf(!hasPostgres)("[RL170] PostgreSQL", () => {
  segmentsContract("PostgreSQL", () => openStore());

  test("[RL170] two relays that pack one space at once: every entry stays, and nothing is there twice", async () => {
    await using one = await openStore();
    const two = (await one.reopened()) as OpenStore;
    const packed = new PackedLog(one);
    const draw = draws(170);
    for (let round = 0; round < 6; round += 1) {
      await packed.write(20 + draw(60));
      const before = await packed.entries();
      await Promise.all([one.packer.packAll(), two.packer.packAll()]);
      expect(await packed.entries()).toEqual(before);
      const { bytes } = await one.counts();
      expect(await one.usage()).toEqual({ documents: 1, bytes });
      const [spans] = (await queryPostgres(one.url, SPANS)) as { sum: number; last: number }[];
      expect(spans?.sum).toBe(spans?.last);
      await one.packing.sweep();
      const { named, stored } = await blobsOf(one);
      expect(stored).toEqual(named);
    }
  });

  test("[RL170] a segment of another log, of what was erased meanwhile or across another segment is not taken", async () => {
    await using store = await openStore();
    const packed = new PackedLog(store);
    await packed.write(60);
    const { mark } = (await packed.entries())[39] as LogEntry;
    const range = { space: SPACE, after: 0, upTo: 40, mark, gone: 0 };
    const segment = { ...range, method: "zstd", inflatedBytes: 1, bytes: new Uint8Array(1) } as const;
    const taken = (change: Partial<NewSegment>) => store.packing.replace({ ...segment, ...change });
    expect(await taken({ mark: new Uint8Array(16) })).toBe(false);
    expect(await taken({ gone: 1 })).toBe(false);
    expect(await taken({ upTo: 61 })).toBe(false);
    expect(await taken({ space: "another" })).toBe(false);
    await store.packer.packAll();
    expect(await taken({})).toBe(false);
    expect(await taken({ after: 10 })).toBe(false);
    expect(await store.counts()).toMatchObject({ segments: 2 });
  });

  test("[RL171] a place for segments that fails at any step loses nothing, and nothing of it stays behind", async () => {
    const blobs = new MemoryBlobs();
    await using store = await openStore({ blobs });
    const packed = new PackedLog(store);
    const draw = draws(171);
    const written: unknown[] = [];
    const check = async (): Promise<void> => {
      blobs.fault = () => undefined;
      packed.store = await packed.store.reopened(); // with nothing in memory
      const entries = await packed.entries();
      expect(entries.slice(0, written.length)).toEqual(written);
      written.splice(0, written.length, ...entries);
    };
    for (let round = 0; round < 40; round += 1) {
      if (draw(2) === 0) await packed.write(1 + draw(30));
      if (draw(3) === 0) await check();
      const fault = (["down", "lost", "short", "other"] as const)[draw(4)];
      let calls = draw(2);
      blobs.fault = () => (calls-- > 0 ? undefined : fault);
      await packed.store.packer.packAll().catch(() => {});
      await store.packing.sweep().catch(() => {});
      // What has arrived is stored, whatever becomes of segments.
      await packed.write(1);
    }
    await check();
    await packed.store.packer.packAll();
    await wait(store.url);
    await store.packing.finish();
    await store.packing.sweep();
    const { named, stored } = await blobsOf(store, blobs);
    expect(stored).toEqual(named);
    const { bytes, loose } = await store.counts();
    expect([await store.usage(), loose < 8]).toEqual([{ documents: 1, bytes }, true]);
  });

  test("[RL171] packing that ended half way is finished by another relay", async () => {
    await using one = await openStore();
    const packed = new PackedLog(one);
    await packed.write(50);
    const before = await packed.entries();
    await one.packer.packAll();
    // As it is when the process ends after the first of several steps.
    for (const { position, bytes } of before.slice(5, 40))
      await queryPostgres(one.url, "UPDATE log_entries SET bytes = $1 WHERE position = $2", [
        Buffer.from(bytes as Uint8Array),
        position,
      ]);
    await queryPostgres(one.url, "UPDATE log_segments SET settled_to = 5 WHERE after = 0");
    await queryPostgres(
      one.url,
      "UPDATE log_spaces SET bytes = bytes + (SELECT SUM(octet_length(bytes)) FROM log_entries)",
    );
    expect(await packed.entries()).toEqual(before);
    await wait(one.url);
    const two = (await one.reopened()) as OpenStore;
    await two.packing.finish();
    const { loose, bytes } = await one.counts();
    expect([await packed.entries(), loose, (await one.usage()).bytes]).toEqual([before, 0, bytes]);
  });

  test("[RL172] a retirement waits for records that cannot be read now, and nothing else does", async () => {
    const blobs = new MemoryBlobs();
    await using one = await openStore({ blobs });
    const packed = new PackedLog(one);
    const [document, other] = [documentHex(1), documentHex(2)];
    const [pack, kept] = [new PackMaker("aa"), new PackMaker("bb")];
    for (const name of ["1", "2", "3"].map(recordName)) {
      await packed.append(...pack.write(name).map((chunk) => logChange(document, chunk)));
      await packed.append(...kept.write(name).map((chunk) => logChange(other, chunk)));
    }
    await one.packer.packAll();
    const two = (await one.reopened()) as OpenStore;
    const item = { kind: "retire", document, carriedIn: [other], erased: [] } as const;
    const items = [{ ...item, hash: markedEntry(item, chunkTools).hash }];
    const batches = [
      { space: SPACE, items },
      { space: SPACE, items: kept.write(recordName("4")).map((chunk) => logChange(other, chunk)) },
    ];
    blobs.fault = () => "down";
    expect(await two.log.append(batches)).toMatchObject([
      { refusal: { code: "BUSY" } },
      { kind: "appended" },
    ]);
    blobs.fault = () => undefined;
    expect(await two.log.append(batches.slice(0, 1))).toMatchObject([{ kind: "appended" }]);
    // What somebody else has put there is given to nobody.
    packed.store = await one.reopened();
    for (const fault of ["short", "other"] as const) {
      blobs.fault = () => fault;
      await expect(packed.entries()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
    }
  });

  test("[RL173] one relay packs for all, and another one once that has gone", async () => {
    await using one = await openStore();
    const two = (await one.reopened()) as OpenStore;
    expect([await one.packing.isPacker("one"), await two.packing.isPacker("two")]).toEqual([true, false]);
    expect(await one.packing.isPacker("one")).toBe(true);
    await queryPostgres(one.url, "UPDATE log_packer SET until = now() - interval '1 second'");
    expect([await two.packing.isPacker("two"), await one.packing.isPacker("one")]).toEqual([true, false]);
  });

  test("[RL179] segments that were written before a place was named are read where they are, and large ones go there", async () => {
    await using inside = await openStore();
    const packed = new PackedLog(inside);
    await packed.write(40);
    await inside.packer.packAll();
    const stored =
      "SELECT is_outside, stored_bytes AS bytes, up_to - after AS entries FROM log_segments ORDER BY after";
    const [first] = (await queryPostgres(inside.url, stored)) as { bytes: number }[];
    const leastOutsideBytes = ((first?.bytes ?? 0) * 3) / 4;
    const outside = await openStore({ url: inside.url, blobs: new MemoryBlobs(), leastOutsideBytes });
    packed.store = outside;
    await packed.write(60);
    await outside.packer.packAll();
    expect(await queryPostgres(inside.url, stored)).toMatchObject([
      { is_outside: false, entries: "40" },
      { is_outside: true, entries: "40" },
      { is_outside: false, entries: "20" },
    ]);
    packed.store = await outside.reopened();
    expect((await packed.entries()).every(({ bytes }) => bytes !== undefined)).toBe(true);
    // Without the place, what is there is not taken for erased.
    packed.store = await inside.reopened();
    await expect(packed.entries()).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect(await packed.entries(80)).toHaveLength(20);
    await outside[Symbol.asyncDispose]();
  });

  test("[RL174] a space that is deleted takes its segments with it", async () => {
    const blobs = new MemoryBlobs();
    await using store = await openStore({ blobs });
    const packed = new PackedLog(store);
    await store.relay.createSpace(SPACE, {
      ...{ tokenId: "t", space: SPACE, role: "admin", hash: "h", createdAt: 1 },
      ...{ label: undefined, expiresAt: undefined },
    });
    await packed.write(50);
    await store.packer.packAll();
    expect(blobs.blobs.size).toBe(2);
    blobs.fault = () => "down";
    expect(await store.relay.deleteSpace(SPACE)).toBe(true);
    // A standby that takes over may still name them.
    await store.packing.sweep();
    expect(blobs.blobs.size).toBe(2);
    await wait(store.url);
    await expect(store.packing.sweep()).rejects.toMatchObject({ code: "STORE_FAILED" });
    blobs.fault = () => undefined;
    await store.packing.sweep();
    expect([blobs.blobs.size, (await blobsOf(store)).named]).toEqual([0, []]);
  });
});
