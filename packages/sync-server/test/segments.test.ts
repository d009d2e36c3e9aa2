import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { draws } from "../../core/test/support/random-documents.js";
import { chunkTools } from "../src/chunk-tools.js";
import { nextRange } from "../src/log/segments/plan.js";
import type { SpaceLayout } from "../src/log/segments/segment-store.js";
import { SQLITE_SCHEMA } from "../src/log/sqlite-schema.js";
import { sqliteSpaceLog } from "../src/log/sqlite-space-log.js";
import { sqliteUsage } from "../src/log/sqlite-usage.js";
import {
  PackedLog,
  type PackedStore,
  SMALL_SIZES as SIZES,
  PACKED_SPACE as SPACE,
  segmentsContract,
} from "./support/segments-contract.js";

const STORED = `
SELECT (SELECT COUNT(*) FROM log_bytes) AS loose, (SELECT COUNT(*) FROM log_segments) AS segments,
  (SELECT COALESCE(SUM(LENGTH(bytes)), 0) FROM log_bytes) + (SELECT COALESCE(SUM(stored_bytes), 0) FROM log_segments)
    AS bytes`;

function newDatabase(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(SQLITE_SCHEMA);
  return database;
}

/** In memory. */
function storeIn(database: DatabaseSync, clock = { now: 0 }): PackedStore {
  const log = sqliteSpaceLog(database, chunkTools.sha256, { now: () => clock.now, sizes: SIZES });
  return {
    ...{ log, clock, packer: log.packer },
    reopened: async () => storeIn(database, clock),
    rows: async () =>
      database.prepare("SELECT position, hash, number, mark, deps FROM log_entries ORDER BY position").all(),
    counts: async () =>
      database.prepare(STORED).get() as unknown as Awaited<ReturnType<PackedStore["counts"]>>,
    usage: () => sqliteUsage(database)(SPACE),
    spoilHash: async (position) =>
      void database.prepare("UPDATE log_entries SET hash = zeroblob(32) WHERE position = ?").run(position),
    spoilSegments: async () => database.exec("UPDATE log_segments SET bytes = zeroblob(LENGTH(bytes))"),
  };
}

segmentsContract("SQLite", async () => {
  const database = newDatabase();
  return { ...storeIn(database), [Symbol.asyncDispose]: async () => database.close() };
});

test("[RL138] a large space is counted in steps, and never too low", async () => {
  using database = newDatabase();
  const packed = new PackedLog(storeIn(database));
  await packed.write(2_500);
  let turns = 0;
  const counting = packed.store.usage().finally(() => {
    turns = Number.POSITIVE_INFINITY;
  });
  for (; turns < 1_000; turns += 1) {
    if (turns === 1) await packed.store.packer.packAll();
    await nextTurn();
    if (turns === 0) await packed.write(10);
  }
  expect(turns).toBe(Number.POSITIVE_INFINITY);
  expect((await counting).bytes).toBeGreaterThanOrEqual((await packed.store.counts()).bytes);
});

test("[RL124] a plan packs every entry in the end, each a few times at most, and nothing twice at once", () => {
  const draw = draws(124);
  for (let run = 0; run < 30; run += 1) {
    const layout = { space: SPACE, segments: [] as SpaceLayout["segments"][number][], end: 0 };
    const packedTimes: number[] = [];
    for (let step = 0; step < 60; step += 1) {
      layout.end += draw(30);
      const isQuiet = draw(3) === 0 || step === 59;
      for (let range = nextRange(layout, isQuiet, SIZES); range; range = nextRange(layout, isQuiet, SIZES)) {
        const upTo = Math.min(range.upTo, range.after + SIZES.entries);
        expect(upTo).toBeGreaterThan(range.after);
        for (let at = range.after; at < upTo; at += 1) packedTimes[at] = (packedTimes[at] ?? 0) + 1;
        layout.segments = layout.segments.filter(({ after }) => after < (range?.after ?? 0));
        layout.segments.push({ after: range.after, upTo, inflatedBytes: 0, isStale: false });
      }
    }
    expect(layout.segments.map(({ after }) => after)).toEqual([
      0,
      ...layout.segments.slice(0, -1).map(({ upTo }) => upTo),
    ]);
    expect(layout.end - (layout.segments.at(-1)?.upTo ?? 0)).toBeLessThan(SIZES.least);
    expect(Math.max(...packedTimes)).toBeLessThan(6);
  }
});

test("[RL123] packing that ended half way is finished, whatever was erased meanwhile", async () => {
  using database = newDatabase();
  const packed = new PackedLog(storeIn(database));
  await packed.write(50);
  const before = await packed.entries();
  await packed.store.packer.packAll();
  // As it is when the process ends after the first of several steps.
  const bytes = before.slice(5, 40).map(({ bytes }) => bytes as Uint8Array);
  const insert = database.prepare("INSERT INTO log_bytes (bytes) VALUES (?)");
  const point = database.prepare("UPDATE log_entries SET bytes_no = ? WHERE position = ?");
  for (const [at, one] of bytes.entries()) point.run(insert.run(one).lastInsertRowid, at + 6);
  database.exec("UPDATE log_segments SET settled_to = 5 WHERE after = 0");
  const { log, packer } = await packed.store.reopened();
  expect(await log.read({ space: SPACE, after: 0, maxBytes: 1e9 })).toEqual(before);
  expect(await log.segmentAfter(SPACE, 0)).toBeUndefined();
  await packer.step();
  expect(await log.read({ space: SPACE, after: 0, maxBytes: 1e9 })).toEqual(before);
  expect(await log.segmentAfter(SPACE, 0)).toBeDefined();
  expect((await packed.count())[0]).toBe(0);
});
