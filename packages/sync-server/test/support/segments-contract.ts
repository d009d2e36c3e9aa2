/**
 * What every store that packs keeps to.
 *
 * @module
 */
import { markedEntry } from "@cambium/core/wire";
import { describe, expect, test } from "vitest";
import { chunkTools } from "../../src/chunk-tools.js";
import type { SpaceUsage } from "../../src/log/relay-log.js";
import type { Packer } from "../../src/log/segments/packer.js";
import type { SegmentSizes } from "../../src/log/segments/plan.js";
import { all, type LogEntry, type LogItem, type LogRange, type SpaceLog } from "../../src/log/space-log.js";
import { ChangeMaker, documentHex, logChange, PackMaker, recordName } from "./change-maker.js";

export const PACKED_SPACE = "space";
export const SMALL_SIZES: SegmentSizes = { bytes: 1 << 20, entries: 40, kept: 10, least: 8 };
const QUIET_MS = 600_001;

/** A store whose sizes are {@link SMALL_SIZES}, with a clock. */
export interface PackedStore {
  readonly log: SpaceLog & Required<Pick<SpaceLog, "segmentAfter">>;
  readonly packer: Packer;
  readonly clock: { now: number };
  /** The same log, with nothing remembered. */
  reopened(): Promise<PackedStore>;
  /** Of each entry, what stays as it is. */
  rows(): Promise<readonly unknown[]>;
  /** How many entries have bytes of their own, how many segments there are, and what all of it takes. */
  counts(): Promise<{ readonly loose: number; readonly segments: number; readonly bytes: number }>;
  usage(): Promise<SpaceUsage>;
  spoilHash(position: number): Promise<void>;
  spoilSegments(): Promise<void>;
}

export class PackedLog {
  store: PackedStore;
  readonly #maker = new ChangeMaker("aa");

  constructor(store: PackedStore) {
    this.store = store;
  }

  async append(...items: readonly LogItem[]): Promise<void> {
    expect(await this.store.log.append([{ space: PACKED_SPACE, items }])).toMatchObject([
      { kind: "appended" },
    ]);
  }

  async write(count: number): Promise<void> {
    const items = Array.from({ length: count }, (_, more) =>
      logChange(documentHex(1), this.#maker.write(`${more % 7}`, `value ${more}`)),
    );
    await this.append(...items);
  }

  /** Looks at all logs once. */
  async round(): Promise<number> {
    const { packer } = this.store;
    return (await packer.step()) + (await packer.step());
  }

  entries(after = 0): Promise<readonly LogEntry[]> {
    return entriesOf(this.store.log, after);
  }

  async count(): Promise<readonly [loose: number, segments: number]> {
    const { loose, segments } = await this.store.counts();
    return [loose, segments];
  }
}

/** Entries as a test compares them. */
async function entriesOf(
  log: SpaceLog,
  after: number,
  most: Partial<LogRange> = {},
): Promise<readonly LogEntry[]> {
  const entries = await log.read({ space: PACKED_SPACE, after, maxBytes: Number.MAX_SAFE_INTEGER, ...most });
  return entries.map(({ bytes, ...rest }) => ({ ...rest, bytes: bytes && new Uint8Array(bytes) }));
}

/** Registers the suite for one kind of store; `create` gives a fresh one for each test. */
export function segmentsContract(name: string, create: () => Promise<PackedStore & AsyncDisposable>): void {
  const withLog = (run: (packed: PackedLog) => Promise<void>) => async () => {
    await using store = await create();
    await run(new PackedLog(store));
  };
  describe(`segments: ${name}`, () => {
    packing(withLog);
    damage(withLog);
  });
}

type WithLog = (run: (packed: PackedLog) => Promise<void>) => () => Promise<void>;

function packing(withLog: WithLog): void {
  test(
    "[RL123] a packed log reads the same from every position, and its rows of hashes, numbers and marks stay",
    withLog(async (packed) => {
      await packed.write(100);
      const before = await packed.entries();
      const rows = await packed.store.rows();
      expect(await packed.store.packer.packAll()).toBe(3);
      expect(await packed.count()).toEqual([0, 3]);
      expect(await packed.store.rows()).toEqual(rows);
      for (const { log } of [packed.store, await packed.store.reopened()]) {
        for (const after of [0, 1, 39, 40, 41, 79, 99, 100])
          expect(await entriesOf(log, after)).toEqual(before.slice(after));
        const changes = await all(log.changes({ space: PACKED_SPACE, document: documentHex(1) }));
        expect(changes.map(({ bytes }) => Buffer.from(bytes))).toEqual(
          before.map(({ bytes }) => Buffer.from(bytes as Uint8Array)),
        );
        expect(await entriesOf(log, 3, { untilSegment: true })).toEqual(before.slice(3, 40));
        expect(await entriesOf(log, 3, { maxBytes: 1 })).toHaveLength(1);
      }
      const upTo = { position: 80, mark: before[79]?.mark };
      expect(await packed.store.log.segmentAfter(PACKED_SPACE, 40)).toMatchObject({ after: 40, upTo });
      expect(await packed.store.log.segmentAfter(PACKED_SPACE, 41)).toBeUndefined();
    }),
  );

  test(
    "[RL124] a log that is written to is packed behind its last entries, and to its end once it is quiet",
    withLog(async (packed) => {
      const { clock } = packed.store;
      await packed.write(45);
      expect(await packed.round()).toBe(0);
      await packed.write(10);
      expect(await packed.round()).toBe(1);
      expect(await packed.count()).toEqual([15, 1]);
      clock.now += QUIET_MS;
      await packed.write(1);
      expect(await packed.round()).toBe(0);
      // Somebody sets the clock right: it was a year ahead.
      clock.now -= 365 * 86_400_000;
      expect(await packed.round()).toBe(0);
      clock.now += QUIET_MS;
      expect(await packed.round()).toBe(1);
      expect(await packed.count()).toEqual([0, 2]);
    }),
  );

  test(
    "[RL138] what a space stores is counted in every state of packing",
    withLog(async (packed) => {
      expect(await packed.store.usage()).toEqual({ documents: 0, bytes: 0 });
      for (let step = 0; step < 6; step += 1) {
        await packed.write(60);
        if (step % 2 === 1) await packed.round();
        const { bytes } = await packed.store.counts();
        expect(await packed.store.usage()).toEqual({ documents: 1, bytes });
      }
    }),
  );

  test(
    "[RL118] what was packed is erased too, once its segment is written anew, and what was beside it stays",
    withLog(async (packed) => {
      const { log, packer } = packed.store;
      const [document, other] = [documentHex(1), documentHex(2)] as const;
      const [pack, kept] = [new PackMaker("aa"), new PackMaker("bb")];
      const names = Array.from({ length: 6 }, (_, at) => recordName(`${at}`));
      for (const name of names) {
        const chunks = pack.write(name).map((chunk) => logChange(document, chunk));
        await packed.append(...chunks, ...kept.write(name).map((chunk) => logChange(other, chunk)));
      }
      await packer.packAll();
      const everything = await packed.entries();
      const segment = await log.segmentAfter(PACKED_SPACE, 0);
      // What carries the records is read out of its segment.
      const item = { kind: "retire", document, carriedIn: [other], erased: [] } as const;
      await packed.append({ ...item, hash: markedEntry(item, chunkTools).hash });
      // Nobody is given it from now on; the packer is at work.
      const given = await log.segmentAfter(PACKED_SPACE, 0);
      const bytesBefore = segment?.inflatedBytes as number;
      expect(given === undefined || given.inflatedBytes < bytesBefore).toBe(true);
      expect(await all(log.changes({ space: PACKED_SPACE, document }))).toEqual([]);
      await packer.step();
      const anew = await log.segmentAfter(PACKED_SPACE, 0);
      expect(anew?.upTo).toEqual(segment?.upTo);
      expect(anew?.inflatedBytes).toBeLessThan(bytesBefore);
      expect((await packed.entries()).slice(0, -1)).toEqual(
        everything.map((entry) => (entry.document === document ? { ...entry, bytes: undefined } : entry)),
      );
      const { bytes } = await packed.store.counts();
      expect(await packed.store.usage()).toEqual({ documents: 2, bytes });
    }),
  );
}

function damage(withLog: WithLog): void {
  test(
    "[RL123] what is not given back byte by byte is not packed",
    withLog(async (packed) => {
      await packed.write(50);
      // A row that says another hash than its bytes have: packing would lose one of the two.
      await packed.store.spoilHash(20);
      await packed.store.packer.packAll();
      expect(await packed.count()).toEqual([50, 0]);
      expect(await packed.entries()).toHaveLength(50);
    }),
  );

  test(
    "[RL123] a segment whose bytes are others than were stored is an error that names it, and nothing is given",
    withLog(async (packed) => {
      await packed.write(50);
      await packed.store.packer.packAll();
      await packed.store.spoilSegments();
      const { log } = await packed.store.reopened();
      const fault = { code: "STORE_DAMAGED" };
      await expect(log.read({ space: PACKED_SPACE, after: 3, maxBytes: 1 })).rejects.toMatchObject(fault);
      await expect(log.segmentAfter(PACKED_SPACE, 0)).rejects.toMatchObject(fault);
      await expect(all(log.changes({ space: PACKED_SPACE, document: documentHex(1) }))).rejects.toMatchObject(
        fault,
      );
    }),
  );

  test(
    "[RL123] a damaged segment holds up the packing of its space alone",
    withLog(async (packed) => {
      await packed.write(50);
      await packed.store.packer.packAll();
      await packed.store.spoilSegments();
      packed.store = await packed.store.reopened();
      await packed.write(20);
      const maker = new ChangeMaker("bb");
      const items = Array.from({ length: 40 }, (_, at) =>
        logChange(documentHex(1), maker.write("1", `${at}`)),
      );
      await packed.store.log.append([{ space: "the space behind", items }]);
      expect(await packed.count()).toEqual([60, 2]);
      await expect(packed.store.packer.packAll()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
      expect(await packed.count()).toEqual([20, 3]);
    }),
  );
}
