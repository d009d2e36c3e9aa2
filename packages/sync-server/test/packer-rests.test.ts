import { LOG_KINDS } from "@cambium/core/wire";
import { expect, test } from "vitest";
import { Packer } from "../src/log/segments/packer.js";
import type { NewSegment } from "../src/log/segments/segment-store.js";
import type { LogEntry } from "../src/log/space-log.js";

const ENTRIES = 60;
const entry = (position: number): LogEntry => ({
  ...{ position, kind: LOG_KINDS.retire, document: "a".repeat(32), hash: "b".repeat(64) },
  ...{ bytes: undefined, mark: new Uint8Array(16) },
});

/** A packer for which each look at the clock takes a millisecond, and what it rests for. */
function packerOf(onRest: (packer: Packer) => void) {
  const rests: number[] = [];
  let now = 0;
  const made: NewSegment[] = [];
  const layout = async (space = "space") => ({
    ...{ space, end: ENTRIES },
    segments: made.map((segment) => ({ ...segment, isStale: false })),
  });
  const packer: Packer = new Packer({
    store: {
      layouts: async (after) => (after === undefined ? [await layout()] : []),
      layout,
      read: async ({ after }) => Array.from({ length: ENTRIES - after }, (_, at) => entry(after + at + 1)),
      replace: async (segment) => made.push(segment) > 0,
      finish: async () => {},
    },
    now: () => 0,
    elapsed: () => {
      now += 1;
      return now;
    },
    pause: async (ms) => {
      rests.push(ms);
      onRest(packer);
    },
    sizes: { bytes: 1e6, entries: ENTRIES, kept: 0, least: 1 },
  });
  return { packer, rests };
}

test("[RL147] packing that nobody waits for rests 8 ms after each turn, and no longer once somebody waits", async () => {
  const unasked = packerOf(() => {});
  expect(await unasked.packer.step()).toBe(1);
  expect(unasked.rests.length).toBeGreaterThan(20);
  expect(new Set(unasked.rests)).toEqual(new Set([8]));
  const asked = packerOf(() => {});
  expect(await asked.packer.packAll()).toBe(1);
  expect(asked.rests).toEqual([]);
  const waiting: Promise<number>[] = [];
  const awaited = packerOf((packer) => void waiting.push(packer.packAll()));
  expect(await awaited.packer.step()).toBe(1);
  await Promise.all(waiting);
  expect(awaited.rests).toHaveLength(1);
});
