import { setImmediate } from "node:timers/promises";
import { type MemoryId, type Usage, usageDocumentsOf } from "@cambium/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Device, MemoryUsesCache } from "./support/device.js";

const START = Date.UTC(2026, 7, 1);
const MINUTE = 60_000;

const memoryOf = (number: number): MemoryId =>
  `01900000-0000-7000-8000-0000000001${number.toString(16).padStart(2, "0")}` as MemoryId;
const [M0, M1, M2] = [memoryOf(0), memoryOf(1), memoryOf(2)] as const;

type Counts = Map<MemoryId, number>;

const countsOf = (uses: ReadonlyMap<MemoryId, Usage>): Counts =>
  new Map([...uses].map(([id, { count }]) => [id, count]));

const sorted = (counts: Counts) => [...counts].filter(([, count]) => count > 0).sort();

function add(to: Counts, from: Counts): void {
  for (const [id, count] of from) to.set(id, (to.get(id) ?? 0) + count);
}

const device = fc.nat({ max: 2 });
const ids = fc.array(fc.constantFrom(M0, M1, M2), { minLength: 1, maxLength: 3 });
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("note" as const), device, ids }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("wait" as const), device, ms: fc.nat({ max: 2 * MINUTE }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("take" as const), device, from: device }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("flush" as const, "ask" as const), device }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom("crash" as const, "close" as const),
      device,
      cache: device,
    }),
  },
);

/** What one device has counted: safe, and what a crash would lose. */
interface Tally {
  readonly written: Counts;
  readonly pending: Counts;
  /** When the oldest pending note was made. */
  pendingSince: number;
}

function write(tally: Tally): void {
  add(tally.written, tally.pending);
  tally.pending.clear();
}

describe("uses", () => {
  test("[US30] the uses of a memory are the sum over the documents of all replicas, whoever asks, in any interleaving", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 40, size: "max" }), async (commands) => {
        const devices: Device[] = [];
        for (const number of [0, 1, 2]) devices.push(await Device.open(number, START));
        const at = (number: number) => devices[number] as Device;
        const tallies = devices.map(
          (): Tally => ({ written: new Map(), pending: new Map(), pendingSince: 0 }),
        );
        const olderCaches: MemoryUsesCache[] = [];
        for (const step of commands) {
          const [one, tally] = [at(step.device), tallies[step.device] as Tally];
          if (step.kind === "note") {
            if (tally.pending.size === 0) tally.pendingSince = one.now();
            one.uses.note(step.ids);
            for (const id of step.ids) add(tally.pending, new Map([[id, 1]]));
          } else if (step.kind === "wait") {
            await one.advance(step.ms);
            if (one.now() - tally.pendingSince >= MINUTE) write(tally);
          } else if (step.kind === "take" && step.from !== step.device) {
            await one.take(at(step.from));
          } else if (step.kind === "flush" || step.kind === "close") {
            await (step.kind === "flush" ? one.uses.flush() : one.uses.close());
            write(tally);
          } else if (step.kind === "ask") {
            for (const [id, count] of sorted(tally.pending))
              expect((await one.uses.usageOf(id)).count).toBeGreaterThanOrEqual(count);
            olderCaches[step.device] = one.cache.copy();
          }
          if (step.kind === "crash" || step.kind === "close") {
            const caches = [undefined, new MemoryUsesCache(), olderCaches[step.device]] as const;
            devices[step.device] = await one.restart(caches[step.cache]);
            tally.pending.clear();
          }
        }
        const expected: Counts = new Map();
        for (const [number, one] of devices.entries()) {
          await one.uses.flush();
          const tally = tallies[number] as Tally;
          write(tally);
          add(expected, tally.written);
        }
        for (const one of devices) for (const other of devices) if (one !== other) await one.take(other);
        for (const one of devices) {
          expect(sorted(countsOf(await one.uses.all()))).toEqual(sorted(expected));
          for (const [id, count] of expected) expect((await one.uses.usageOf(id)).count).toBe(count);
          expect(one.failures).toEqual([]);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("[US31] a device makes at most one change a minute, whenever notes come in, and one more when it closes", async () => {
    const note = fc.record({ ids, waitMs: fc.oneof(fc.nat({ max: 5_000 }), fc.nat({ max: 3 * MINUTE })) });
    await fc.assert(
      fc.asyncProperty(fc.array(note, { maxLength: 60 }), async (notes) => {
        const one = await Device.open(1, START);
        const expected: Counts = new Map();
        for (const step of notes) {
          one.uses.note(step.ids);
          for (const id of step.ids) add(expected, new Map([[id, 1]]));
          const advanced = one.advance(step.waitMs);
          one.uses.note([M0]); // while what fell due is being written, which takes its time
          add(expected, new Map([[M0, 1]]));
          const advancedMore = one.advance(20_000);
          await Promise.all([advanced, advancedMore]);
          expect(one.timers.waitingMs().length).toBeLessThanOrEqual(1);
        }
        const times = one.changes.map(({ at }) => at);
        for (const [index, at] of times.slice(1).entries())
          expect(at - (times[index] as number)).toBeGreaterThanOrEqual(MINUTE);
        await one.uses.close();
        expect(one.changes.length).toBeLessThanOrEqual(times.length + 1);
        expect(one.timers.waitingMs()).toEqual([]);
        const again = await one.restart();
        expect(sorted(countsOf(await again.uses.all()))).toEqual(sorted(expected)); // nothing lost at close
      }),
      { numRuns: 60 },
    );
  });

  test("[US31] what is noted while a change is being stored belongs to the next one, a minute later", async () => {
    const one = await Device.open(1, START);
    const stop = one.documents.onHeads(({ change }) => {
      if (change?.statement?.type === "uses") one.uses.note([M1]);
    });
    const stored = new Promise<void>((resolve) => {
      one.documents.onDurable((document) => document !== one.catalog.document && resolve());
    });
    one.uses.note([M0]);
    one.pass(MINUTE);
    await stored;
    await setImmediate();
    stop();
    expect(one.timers.waitingMs()).toEqual([MINUTE]);
    await one.advance(MINUTE);
    expect(one.changes.map(({ at }) => at)).toEqual([START + MINUTE, START + 2 * MINUTE]);
    expect((await (await one.restart()).uses.usageOf(M1)).count).toBe(1);
  });

  test("[US32] a crash loses at most what was noted in the last minute", async () => {
    const one = await Device.open(1, START);
    one.uses.note([M0, M1]);
    await one.advance(MINUTE);
    one.uses.note([M1]);
    await one.advance(MINUTE - 1);
    const again = await one.restart();
    expect(sorted(countsOf(await again.uses.all()))).toEqual([
      [M0, 1],
      [M1, 1],
    ]);
    again.uses.note([M1]);
    await again.uses.flush();
    expect(await again.uses.usageOf(M1)).toEqual({ count: 2, lastUsedAt: again.now() });
  });

  test("[US33] nothing is loaded or made until something is noted or asked", async () => {
    const one = await Device.open(1, START);
    one.uses.note([M0]);
    await one.uses.close();
    const again = await one.restart();
    const [{ document } = { document: undefined }] = usageDocumentsOf(again.catalog.current, again.id);
    await again.advance(10 * MINUTE);
    await again.uses.flush();
    expect(document && again.documents.isLoaded(document)).toBe(false);
    expect((await again.uses.usageOf(M0)).count).toBe(1);
    expect(document && again.documents.isLoaded(document)).toBe(false); // read in passing, not kept

    const other = await Device.open(2, START);
    await other.uses.close();
    expect(usageDocumentsOf(other.catalog.current, other.id)).toEqual([]);
  });

  test("[US34] lastUsedAt is the time of the last change that raised the count, on whichever replica", async () => {
    const [one, two] = [await Device.open(1, START), await Device.open(2, START + 5 * MINUTE)];
    one.uses.note([M0]);
    expect(await one.uses.usageOf(M0)).toEqual({ count: 1, lastUsedAt: START });
    await one.advance(MINUTE);
    two.uses.reinforce([M0], 3);
    await two.advance(MINUTE);
    await one.take(two);
    expect(await one.uses.usageOf(M0)).toEqual({ count: 4, lastUsedAt: START + 6 * MINUTE });
    expect(await one.uses.usageOf(M1)).toEqual({ count: 0, lastUsedAt: 0 });
  });

  test("[US35] each year has a document of its own, and all of them count", async () => {
    const one = await Device.open(1, Date.UTC(2026, 11, 31, 23, 59));
    one.uses.note([M0, M0]);
    await one.advance(MINUTE - 1);
    one.uses.note([M1]);
    await one.uses.flush();
    await one.advance(MINUTE);
    one.uses.note([M0]);
    await one.uses.flush();
    expect(usageDocumentsOf(one.catalog.current, one.id).map(({ year }) => year)).toEqual([2026, 2027]);
    expect(new Set(one.changes.map(({ document }) => document)).size).toBe(2);
    expect((await one.uses.usageOf(M0)).count).toBe(3);
    const two = await Device.open(2, one.now());
    await two.take(one);
    expect(sorted(countsOf(await two.uses.all()))).toEqual([
      [M0, 3],
      [M1, 1],
    ]);
  });

  test("[US36] a reader keeps counts to itself, and writes them once it may", async () => {
    const one = await Device.open(1, START);
    one.role = "read";
    one.uses.note([M0]);
    await one.advance(5 * MINUTE);
    await one.uses.flush();
    expect(one.changes).toEqual([]);
    expect((await one.uses.usageOf(M0)).count).toBe(1);
    one.role = "write";
    one.uses.note([M1]);
    await one.advance(MINUTE);
    const again = await one.restart();
    expect(sorted(countsOf(await again.uses.all()))).toEqual([
      [M0, 1],
      [M1, 1],
    ]);
  });

  test.each(["catalog first", "catalog last"] as const)(
    "[US37] listeners hear of notes here and of what other replicas have counted: %s",
    async (order) => {
      const [one, two] = [await Device.open(1, START), await Device.open(2, START)];
      const heard: MemoryId[] = [];
      const stop = two.uses.onChange((changed) => heard.push(...changed));
      one.uses.note([M0]);
      await one.uses.flush();
      await two.take(one, order);
      expect(heard).toEqual([M0]);
      two.uses.note([M1]);
      one.uses.note([M2]);
      await one.uses.flush();
      await two.take(one, order);
      expect(heard).toEqual([M0, M1, M2]);
      stop();
      two.uses.note([M0]);
      expect(heard).toHaveLength(3);
    },
  );

  test("[US38] reinforcing counts as that many recalls, and takes a whole number of them", async () => {
    const one = await Device.open(1, START);
    one.uses.reinforce([M0]);
    one.uses.reinforce([M0], 10);
    expect((await one.uses.usageOf(M0)).count).toBe(11);
    for (const times of [0, -1, 1.5, 1_001, Number.NaN])
      expect(() => one.uses.reinforce([M0], times)).toThrow(expect.objectContaining({ code: "BAD_INPUT" }));
  });

  test("[US39] a document that the catalog lists and that is not here is not written over: another one is begun", async () => {
    const one = await Device.open(1, START);
    const empty = await Device.open(1, START); // the same home, before its first recall
    one.uses.reinforce([M0], 5);
    await one.uses.flush();
    const restored = await empty.restart();
    restored.uses.note([M0]);
    await restored.uses.flush();
    await restored.take(one);
    expect(usageDocumentsOf(restored.catalog.current, restored.id)).toHaveLength(2);
    expect((await restored.uses.usageOf(M0)).count).toBe(6);
    restored.uses.note([M0]);
    await restored.uses.flush();
    expect(usageDocumentsOf(restored.catalog.current, restored.id)).toHaveLength(2);
    expect((await restored.uses.usageOf(M0)).count).toBe(7);
  });

  test("[US60] with a cache only later changes are read, and one that knows lost changes is not believed", async () => {
    const one = await Device.open(1, START);
    one.uses.note([M0]);
    await one.uses.flush();
    const before = one.cache.copy();
    const beforeRestart = await one.restart(before.copy());
    one.uses.note([M0, M1]);
    await one.uses.flush();
    const [{ document } = { document: undefined }] = usageDocumentsOf(one.catalog.current, one.id);
    if (document === undefined) throw new Error("The device has counted nothing.");

    const behind = await one.restart(before);
    expect(sorted(countsOf(await behind.uses.all()))).toEqual([
      [M0, 2],
      [M1, 1],
    ]);
    expect(behind.cache.read(document)?.heads).toEqual(one.cache.read(document)?.heads);

    const trusted = one.cache.copy();
    trusted.usesByDocument.get(document)?.set(M2, { count: 9, lastUsedAt: START });
    const same = await one.restart(trusted);
    expect((await same.uses.usageOf(M2)).count).toBe(9); // not read again: the heads are the same

    const ahead = await beforeRestart.restart(one.cache.copy());
    expect(sorted(countsOf(await ahead.uses.all()))).toEqual([[M0, 1]]);
    expect([...(ahead.cache.read(document)?.uses ?? [])]).toEqual([[M0, { count: 1, lastUsedAt: START }]]);
  });
});
