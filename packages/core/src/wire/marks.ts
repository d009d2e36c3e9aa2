/**
 * Marks: a short hash of everything in a space's log up to a position. Two logs with the same mark at a position are
 * the same up to there, so a replica sees by its marks whether a relay's log is still the one that it read.
 *
 * @module
 */
import { bytesFromHex, bytesToHex, concatBytes } from "../format/bytes.js";
import type { Digest } from "../platform.js";
import { MARK_BYTES } from "./frame-bytes.js";
import { LOG_LIMITS } from "./limits.js";

/** A place in a space's log. Positions count from 1; at 0 nothing has been written. */
export interface LogPoint {
  /** How many entries the log has up to here. */
  readonly position: number;
  /** 16 bytes, over all of them. */
  readonly mark: Uint8Array;
}

/** Where every log begins. */
export const LOG_START: LogPoint = { position: 0, mark: new Uint8Array(MARK_BYTES) };

/** What an entry is to the chain of marks. */
export interface MarkedEntry {
  /** See {@link LOG_KINDS}. */
  readonly kind: number;
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** 64 hexadecimal digits. */
  readonly hash: string;
}

/**
 * The point one entry further: the first 16 bytes of SHA-256 over the mark before, the kind, the document and the hash.
 *
 * @example
 * const point = nextPoint(LOG_START, { kind: LOG_KINDS.change, document, hash }, sha256);
 * expect(point.position).toBe(1);
 */
export function nextPoint(before: LogPoint, { kind, document, hash }: MarkedEntry, sha256: Digest): LogPoint {
  const hashed = concatBytes(before.mark, Uint8Array.of(kind), bytesFromHex(document), bytesFromHex(hash));
  return { position: before.position + 1, mark: new Uint8Array(sha256(hashed).subarray(0, MARK_BYTES)) };
}

/** Whether two points are the same place in the same log. */
export const samePoint = (a: LogPoint, b: LogPoint): boolean =>
  a.position === b.position && bytesToHex(a.mark) === bytesToHex(b.mark);

/**
 * Which points a replica keeps, so that it finds the newest that a restored log still has: newest first, and ever
 * sparser. Of the points whose distance from the newest has the same power of 4 it keeps the newest and the oldest;
 * so at any distance one is kept, however long the log grows and however often this is asked.
 *
 * @param points - in any order, with the one that was reached last
 * @returns at most 64
 */
export function sparsePoints(points: readonly LogPoint[]): readonly LogPoint[] {
  const sorted = points.toSorted((a, b) => b.position - a.position);
  const newest = sorted[0]?.position ?? 0;
  const rangeOf = ({ position }: LogPoint): number => Math.floor(Math.log2(newest - position + 1) / 2);
  const kept = sorted.filter(
    (point, index) =>
      point.position !== sorted[index - 1]?.position &&
      (index === 0 ||
        rangeOf(point) !== rangeOf(sorted[index - 1] as LogPoint) ||
        index === sorted.length - 1 ||
        rangeOf(point) !== rangeOf(sorted[index + 1] as LogPoint)),
  );
  return kept.slice(0, LOG_LIMITS.marks);
}
