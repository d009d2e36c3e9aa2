/**
 * Segments as stores keep them: a range of a log's positions in fewer bytes, in the place of the rows that had the bytes
 * of each entry. The rows with hashes, numbers and marks stay. `Packer` makes segments, the same way for every store.
 *
 * @module
 */
import type { SegmentMethod } from "@cambium/core/wire";
import type { LogEntry, LogRange } from "../space-log.js";

/** Where a segment is. */
export interface SegmentPlace {
  readonly after: number;
  readonly upTo: number;
  readonly inflatedBytes: number;
  /** It has bytes of a document that was retired since. */
  readonly isStale: boolean;
}

/** How far the log of a space is packed. Segments follow each other from its beginning. */
export interface SpaceLayout {
  readonly space: string;
  readonly segments: readonly SegmentPlace[];
  /** The position of its last entry. */
  readonly end: number;
}

/** A segment that is to take the place of what its range has now: rows, other segments. */
export interface NewSegment {
  readonly space: string;
  readonly after: number;
  readonly upTo: number;
  /** Of its last entry: where another log is by now, it has another one there. */
  readonly mark: Uint8Array;
  /** How many of its entries have no bytes. */
  readonly gone: number;
  readonly method: SegmentMethod;
  readonly inflatedBytes: number;
  readonly bytes: Uint8Array;
}

/** What packing asks of a store. */
export interface SegmentStore {
  /** Spaces that may have something to pack, some at a time, in an order of the store's own. */
  layouts(after: string | undefined): Promise<readonly SpaceLayout[]>;
  layout(space: string): Promise<SpaceLayout | undefined>;
  /** Entries in order, as `SpaceLog.read` gives them. */
  read(range: LogRange): Promise<readonly LogEntry[]>;
  /**
   * Keeps a segment and gives up the bytes that it replaces, in steps each of which leaves every entry readable. It was
   * compared with what the range has. What is stored of it comes first, durably; then the entries point to it, then
   * the old bytes go, in one transaction for each stretch of entries.
   *
   * @returns false when something in the range was erased meanwhile, and nothing was stored
   */
  replace(segment: NewSegment): Promise<boolean>;
  /** Ends what `replace` had begun when the process ended. */
  finish(): Promise<void>;
}
