/**
 * The changes of a stored document, in one piece: each alone would take twice its size in memory.
 *
 * @module
 */
import * as A from "../replica/automerge.js";
import { readStored, type StoredDocument } from "../replica/pack-content.js";

/** Changes as they are stored, in an order in which dependencies come first. */
export interface ChangeList {
  readonly length: number;
  slice(start: number, end: number): readonly Uint8Array[];
}

export interface PackedChanges {
  readonly bytes: Uint8Array;
  /** Where each of them ends. */
  readonly ends: Float64Array;
}

/** @returns undefined when the document is not whole, or lacks one of the heads in `since` */
export const changesSince = (
  stored: StoredDocument,
  since: readonly string[],
): readonly Uint8Array[] | undefined =>
  readStored(stored, (backend, doc) =>
    A.hasHeads(doc, [...since]) ? backend.getChanges([...since]) : undefined,
  );

export function packChanges(changes: readonly Uint8Array[]): PackedChanges {
  const ends = new Float64Array(changes.length);
  let size = 0;
  for (const [index, { length }] of changes.entries()) {
    size += length;
    ends[index] = size;
  }
  const bytes = new Uint8Array(size);
  for (const [index, change] of changes.entries()) bytes.set(change, (ends[index] as number) - change.length);
  return { bytes, ends };
}

export const unpackChanges = ({ bytes, ends }: PackedChanges): ChangeList => ({
  length: ends.length,
  // Copies: whoever sends a part of a buffer to a thread sends all of it.
  slice: (start, end) =>
    Array.from(ends.subarray(start, end), (until, index) =>
      bytes.slice(start + index === 0 ? 0 : ends[start + index - 1], until),
    ),
});
