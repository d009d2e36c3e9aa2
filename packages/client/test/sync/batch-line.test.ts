import { LOG_START, type LogPoint, nextPoint, samePoint } from "@cambium/core/wire";
import { describe, expect, test } from "vitest";
import { chunkTools } from "../../src/platform/node-platform.js";
import type { DocumentRow } from "../../src/storage/store.js";
import { BatchLine } from "../../src/sync/batch-line.js";
import { LogCursor } from "../../src/sync/log-cursor.js";

describe("batches of a session", () => {
  test("[NW6] are numbered without gaps; a refusal takes all that were sent since, and the next one says so", () => {
    const line = new BatchLine<string>();
    expect(["a", "b", "c"].map((content) => line.send(content, 1))).toEqual([
      { n: 1, resume: 0 },
      { n: 2, resume: 0 },
      { n: 3, resume: 0 },
    ]);
    expect(line.receipt(1)).toBe("a");
    expect(line.receipt(1)).toBeUndefined();
    expect(line.refuse(2).map(({ content }) => content)).toEqual(["b", "c"]);
    expect(line.refuse(3)).toEqual([]);
    expect(line.send("d", 1)).toEqual({ n: 4, resume: 2 });
    expect(line.send("e", 1)).toEqual({ n: 5, resume: 0 });
    expect(line.waiting.map(({ n }) => n)).toEqual([4, 5]);
  });

  test("[NW6] wait for receipts when many, or many bytes, are under way", () => {
    const line = new BatchLine<number>();
    line.send(0, 8 * 1024 * 1024);
    expect(line.isOpen).toBe(false);
    line.receipt(1);
    for (let n = 0; n < 32; n += 1) line.send(n, 1);
    expect(line.isOpen).toBe(false);
    line.receipt(2);
    expect(line.isOpen).toBe(true);
  });
});

describe("how far the log has been read", () => {
  const points: LogPoint[] = [LOG_START];
  for (let count = 0; count < 200; count += 1) {
    const entry = { kind: 1, document: "ab".repeat(16), hash: `${count % 10}`.repeat(64) };
    points.push(nextPoint(points.at(-1) as LogPoint, entry, chunkTools.sha256));
  }

  test("[NW13] survives as a row, with earlier points ever sparser", () => {
    const cursor = new LogCursor();
    expect(cursor.point).toEqual(LOG_START);
    for (const point of points.slice(1)) cursor.advance(point);
    const row = cursor.takeRow() as DocumentRow;
    expect(cursor.takeRow()).toBeUndefined();
    const again = new LogCursor(row);
    expect(again.points.map(({ position }) => position)).toEqual(
      cursor.points.map(({ position }) => position),
    );
    expect(samePoint(again.point, points.at(-1) as LogPoint)).toBe(true);
    expect(again.points.length).toBeLessThan(20);
  });

  test("[NW13] goes back to where a restored log ends, and to the beginning", () => {
    const cursor = new LogCursor();
    for (const point of points.slice(1)) cursor.advance(point);
    const common = cursor.points[2] as LogPoint;
    cursor.rewindTo(common);
    expect(cursor.point).toEqual(common);
    cursor.rewindTo(LOG_START);
    expect(cursor.points).toEqual([]);
  });
});
