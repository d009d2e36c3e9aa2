/**
 * What to pack next. Pure.
 *
 * A log is packed from its beginning. What was written last stays as it is while more is being written: it is read by
 * whoever follows. A log that nobody writes to is packed to its end, and its last segment is made anew with what came
 * since once that is half as much again, so that no entry is packed more than a few times.
 *
 * @module
 */
import type { SegmentPlace, SpaceLayout } from "./segment-store.js";

/** When there is enough for a segment, and when one ends. */
export interface SegmentSizes {
  /** Ends a segment. */
  readonly bytes: number;
  /** Ends a segment. */
  readonly entries: number;
  /** So many are not packed while a log is written to. */
  readonly kept: number;
  /** Fewer are not worth a segment. */
  readonly least: number;
}

/** Segments of four times the size take 2 per cent less room, and four times as long at once. */
export const STANDARD_SIZES: SegmentSizes = { bytes: 1024 * 1024, entries: 4_096, kept: 1_024, least: 64 };

/** Positions after `after`, as many as a segment holds but not beyond `upTo`. */
export interface PackRange {
  readonly after: number;
  readonly upTo: number;
}

/** @param isQuiet - nobody has written to it for a while */
export function nextRange(
  { segments, end }: SpaceLayout,
  isQuiet: boolean,
  sizes: SegmentSizes = STANDARD_SIZES,
): PackRange | undefined {
  const stale = segments.find(({ isStale }) => isStale);
  if (stale !== undefined) return { after: stale.after, upTo: stale.upTo };
  const last = segments.at(-1);
  const packedTo = last?.upTo ?? 0;
  const loose = end - packedTo;
  const grown = last !== undefined && isSmall(last, sizes) ? last : undefined;
  const after = grown?.after ?? packedTo;
  const isFull = end - after >= sizes.entries + sizes.kept;
  if (isFull && !isQuiet) return loose > sizes.kept ? { after, upTo: end - sizes.kept } : undefined;
  const isEnough = loose >= sizes.least && loose * 2 >= packedTo - after;
  return isQuiet && isEnough ? { after, upTo: end } : undefined;
}

const isSmall = ({ after, upTo, inflatedBytes }: SegmentPlace, { entries, bytes }: SegmentSizes): boolean =>
  upTo - after < entries / 2 && inflatedBytes < bytes / 2;
