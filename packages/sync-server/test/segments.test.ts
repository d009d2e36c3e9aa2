import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { draws } from "../../core/test/support/random-documents.js";
import { chunkTools } from "../src/chunk-tools.js";
import { nextRange, type SegmentSizes } from "../src/log/segments/plan.js";
import type { SpaceLayout } from "../src/log/segments/segment-store.js";
import { all, type LogEntry, type LogItem } from "../src/log/space-log.js";
import { SQLITE_SCHEMA } from "../src/log/sqlite-schema.js";
import { type SqliteSpaceLog, sqliteSpaceLog } from "../src/log/sqlite-space-log.js";
import { sqliteUsage } from "../src/log/sqlite-usage.js";
import { ChangeMaker, documentHex, logChange } from "./support/change-maker.js";

const SPACE = "space";
const SIZES: SegmentSizes = { bytes: 1 << 20, entries: 40, kept: 10, least: 8 };
const QUIET_MS = 600_001;

/** A log in memory, with a clock. */
class PackedLog implements Disposable {
  readonly database = new DatabaseSync(":memory:");
  now = 0;
  log: SqliteSpaceLog;
  readonly #maker = new ChangeMaker("aa");

  constructor() {
    this.database.exec(SQLITE_SCHEMA);
    this.log = this.reopened();
  }

  reopened(): SqliteSpaceLog {
    this.log = sqliteSpaceLog(this.database, chunkTools.sha256, { now: () => this.now, sizes: SIZES });
    return this.log;
  }

  async write(count: number): Promise<void> {
    const items: LogItem[] = [];
    for (let more = 0; more < count; more += 1)
      items.push(logChange(documentHex(1), this.#maker.write(`${more % 7}`, `value ${more}`)));
    expect(await this.log.append([{ space: SPACE, items }])).toMatchObject([{ kind: "appended" }]);
  }

  /** Looks at all logs once. */
  async round(): Promise<number> {
    return (await this.log.packer.step()) + (await this.log.packer.step());
  }

  entries(after = 0): Promise<readonly LogEntry[]> {
    return this.log.read({ space: SPACE, after, maxBytes: Number.MAX_SAFE_INTEGER });
  }

  count(table: "log_bytes" | "log_segments"): number {
    return this.database.prepare(`SELECT COUNT(*) AS count FROM ${table}`).get()?.count as number;
  }

  [Symbol.dispose](): void {
    this.database.close();
  }
}

test("[RL138] what a space stores is counted in every state of packing, in steps, and never too low", async () => {
  using packed = new PackedLog();
  const usage = sqliteUsage(packed.database);
  const stored = () =>
    packed.database
      .prepare(
        `SELECT (SELECT COALESCE(SUM(LENGTH(bytes)), 0) FROM log_bytes)
           + (SELECT COALESCE(SUM(stored_bytes), 0) FROM log_segments) AS bytes`,
      )
      .get()?.bytes as number;
  expect(await usage(SPACE)).toEqual({ documents: 0, bytes: 0 });
  for (let step = 0; step < 6; step += 1) {
    await packed.write(60);
    if (step % 2 === 1) await packed.round();
    expect(await usage(SPACE)).toEqual({ documents: 1, bytes: stored() });
  }
  await packed.write(2_500);
  let turns = 0;
  const counting = usage(SPACE).finally(() => {
    turns = Number.POSITIVE_INFINITY;
  });
  for (; turns < 1_000; turns += 1) {
    if (turns === 1) await packed.log.packer.packAll();
    await nextTurn();
    if (turns === 0) await packed.write(10);
  }
  expect(turns).toBe(Number.POSITIVE_INFINITY);
  expect((await counting).bytes).toBeGreaterThanOrEqual(stored());
});

test("[RL123] a packed log reads the same from every position, and its rows of hashes, numbers and marks stay", async () => {
  using packed = new PackedLog();
  await packed.write(100);
  const before = await packed.entries();
  const rows = () =>
    packed.database
      .prepare("SELECT position, hash, number, mark, deps FROM log_entries ORDER BY position")
      .all();
  const rowsBefore = rows();
  expect(await packed.log.packer.packAll()).toBe(3);
  expect([packed.count("log_bytes"), packed.count("log_segments")]).toEqual([0, 3]);
  expect(rows()).toEqual(rowsBefore);
  for (const log of [packed.log, packed.reopened()]) {
    for (const after of [0, 1, 39, 40, 41, 79, 99, 100])
      expect(await log.read({ space: SPACE, after, maxBytes: 1e9 })).toEqual(before.slice(after));
    const changes = await all(log.changes({ space: SPACE, document: documentHex(1) }));
    expect(changes.map(({ bytes }) => Buffer.from(bytes))).toEqual(
      before.map(({ bytes }) => Buffer.from(bytes as Uint8Array)),
    );
  }
  expect(await packed.log.segmentAfter(SPACE, 40)).toMatchObject({
    upTo: { position: 80, mark: before[79]?.mark },
  });
  expect(await packed.log.segmentAfter(SPACE, 41)).toBeUndefined();
});

test("[RL123] what is not given back byte by byte is not packed", async () => {
  using packed = new PackedLog();
  await packed.write(50);
  const { read } = packed.log;
  // A row that says another hash than its bytes have: packing would lose one of the two.
  packed.database.exec("UPDATE log_entries SET hash = zeroblob(32) WHERE position = 20");
  await packed.log.packer.packAll();
  expect([packed.count("log_bytes"), packed.count("log_segments")]).toEqual([50, 0]);
  expect(await read({ space: SPACE, after: 0, maxBytes: 1e9 })).toHaveLength(50);
});

test("[RL123] a segment whose bytes are others than were stored is an error that names it, and nothing is given", async () => {
  using packed = new PackedLog();
  await packed.write(50);
  await packed.log.packer.packAll();
  packed.database.exec("UPDATE log_segments SET bytes = zeroblob(LENGTH(bytes)) WHERE segment_no = 1");
  const fault = { code: "STORE_DAMAGED", message: expect.stringContaining("Segment 1") };
  await expect(packed.reopened().read({ space: SPACE, after: 3, maxBytes: 1 })).rejects.toMatchObject(fault);
  await expect(packed.log.segmentAfter(SPACE, 0)).rejects.toMatchObject(fault);
  await expect(all(packed.log.changes({ space: SPACE, document: documentHex(1) }))).rejects.toMatchObject(
    fault,
  );
});

test("[RL124] a log that is written to is packed behind its last entries, and to its end once it is quiet", async () => {
  using packed = new PackedLog();
  await packed.write(45);
  expect(await packed.round()).toBe(0);
  await packed.write(10);
  expect(await packed.round()).toBe(1);
  expect([packed.count("log_segments"), packed.count("log_bytes")]).toEqual([1, 15]);
  packed.now += QUIET_MS;
  await packed.write(1);
  expect(await packed.round()).toBe(0);
  packed.now += QUIET_MS;
  expect(await packed.round()).toBe(1);
  expect([packed.count("log_segments"), packed.count("log_bytes")]).toEqual([2, 0]);
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
  using packed = new PackedLog();
  await packed.write(50);
  const before = await packed.entries();
  await packed.log.packer.packAll();
  // As it is when the process ends after the first of several steps.
  const bytes = before.slice(5, 40).map(({ bytes }) => bytes as Uint8Array);
  const insert = packed.database.prepare("INSERT INTO log_bytes (bytes) VALUES (?)");
  const point = packed.database.prepare("UPDATE log_entries SET bytes_no = ? WHERE position = ?");
  for (const [at, one] of bytes.entries()) point.run(insert.run(one).lastInsertRowid, at + 6);
  packed.database.exec("UPDATE log_segments SET settled_to = 5 WHERE after = 0");
  const log = packed.reopened();
  expect(await log.read({ space: SPACE, after: 0, maxBytes: 1e9 })).toEqual(before);
  expect(await log.segmentAfter(SPACE, 0)).toBeUndefined();
  await log.packer.step();
  expect(await log.read({ space: SPACE, after: 0, maxBytes: 1e9 })).toEqual(before);
  expect(await log.segmentAfter(SPACE, 0)).toBeDefined();
  expect(packed.count("log_bytes")).toBe(0);
});
