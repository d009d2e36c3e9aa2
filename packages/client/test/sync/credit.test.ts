import { deflateRawSync } from "node:zlib";
import {
  type EntriesFrame,
  type EntryItem,
  encodeItems,
  encodeRelayFrame,
  LOG_START,
  type LogPoint,
  nextPoint,
  pack,
} from "@cambium/core/wire";
import { expect, test } from "vitest";
import { entryTools } from "../../src/platform/node-platform.js";
import { manualTimers } from "../../src/platform/timers.js";
import type { EntryTaker } from "../../src/sync/entry-taker.js";
import { Incoming } from "../../src/sync/incoming.js";
import type { LogCursor } from "../../src/sync/log-cursor.js";
import type { SyncTracker } from "../../src/sync/sync-tracker.js";

const DOCUMENT = "0a".repeat(16);
const hashOf = (number: number): string => number.toString(16).padStart(64, "0");

/** So many own entries in a frame, each after the last. */
function framesAfter(start: LogPoint) {
  let point = start;
  return (count: number, isDeflated: boolean): EntriesFrame => {
    const from = point.position;
    const items = Array.from({ length: count }, (_, place): EntryItem => {
      const hash = hashOf(from + place + 1);
      point = nextPoint(point, { kind: 1, document: DOCUMENT, hash }, entryTools.sha256);
      return { kind: "own", of: 1, document: DOCUMENT, hash };
    });
    const packed = pack(encodeItems(items), isDeflated ? (bytes) => deflateRawSync(bytes) : undefined);
    return { type: "entries", from, upTo: point, items: packed };
  };
}

test.each([false, true])(
  "[RL61] a relay is given back what it has counted, byte by byte, deflated (%s) or not",
  async (isDeflated) => {
    const granted: number[] = [];
    const incoming = new Incoming({
      tracker: { reached: () => {} } as unknown as SyncTracker,
      cursor: { advance: () => {} } as unknown as LogCursor,
      taker: {
        ...{ begin: () => {}, end: () => {}, expect: () => {}, lose: () => {}, isLossy: false },
        take: async () => true,
      } as unknown as EntryTaker,
      ...{ timers: manualTimers(), grant: (bytes) => granted.push(bytes), onGap: () => granted.push(-1) },
      onApplied: () => {},
    });
    incoming.begin(LOG_START, LOG_START);
    const next = framesAfter(LOG_START);
    let [spent, last] = [0, 0];
    for (let count = 0; count < 12_000 && granted.length < 2; count += 1) {
      const frame = next(isDeflated ? 200 : 1 + (count % 9), isDeflated);
      spent += encodeRelayFrame(frame).length;
      incoming.entries(frame);
      const sum = granted.reduce((all, bytes) => all + bytes, 0);
      if (sum > last) expect(sum).toBe(spent);
      last = sum;
    }
    expect(granted).toHaveLength(2);
    expect(Math.min(...granted)).toBeGreaterThanOrEqual(256 * 1024);
  },
);
