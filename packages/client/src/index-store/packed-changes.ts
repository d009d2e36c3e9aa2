/**
 * The changes of a stored document, many in one piece: each alone would take twice its size in memory.
 *
 * @module
 */
import { bytesToHex, REFERENCE_BYTES, type RecordHash } from "@cambium/core";
import * as A from "../documents/automerge.js";
import { type Backend, readStored, type StoredDocument } from "../documents/pack-content.js";
import { HASH_BYTES } from "./snapshot-columns.js";

export interface PackedChanges {
  readonly bytes: Uint8Array;
  /** Where each of them ends. */
  readonly ends: Float64Array;
}

/** What a branch has, and some of it may be known already. */
export interface ListedChanges {
  /** In an order in which dependencies come first. */
  readonly pieces: readonly PackedChanges[];
  /** Hashes of the records that it shows now, one after the other. Of a whole history only. */
  readonly shown: Uint8Array;
}

/** Changes in a piece: few megabytes. */
const PIECE_SIZE = 8_192;
/** Of changes read together, about as much as 512 writes are: an import makes hundreds in each change. */
const PART_BYTES = 64 * 1024;
/** Before the length of a change: what all chunks begin with, a checksum, the type. */
const CHUNK_START_BYTES = 9;

/** @returns undefined when the document is not whole, or lacks one of the heads in `since` */
export const listStored = (stored: StoredDocument, since: readonly string[]): ListedChanges | undefined =>
  readStored(stored, (backend, doc) => {
    const pieces = listChanges(doc, since);
    return pieces && { pieces, shown: since.length === 0 ? shownRecords(backend) : new Uint8Array() };
  });

/** @returns undefined when the document lacks one of the heads in `since` */
export function listChanges(
  doc: A.Doc<unknown>,
  since: readonly string[],
): readonly PackedChanges[] | undefined {
  if (!A.hasHeads(doc, since)) return undefined;
  const bytes = A.saveSince(doc, [...since]); // one by one, they would leave memory in shreds
  const ends = endsOf(bytes);
  const pieces: PackedChanges[] = [];
  for (let start = 0; start < ends.length; start += PIECE_SIZE)
    pieces.push(partOf({ bytes, ends }, start, start + PIECE_SIZE));
  return pieces;
}

/** @see https://automerge.org/automerge-binary-format-spec/#_chunk_container_format */
function endsOf(bytes: Uint8Array): Float64Array {
  const ends: number[] = [];
  let at = 0;
  while (at < bytes.length) {
    at += CHUNK_START_BYTES;
    let [length, scale] = [0, 1];
    for (let isLast = false; !isLast; at += 1) {
      const byte = bytes[at] as number;
      length += (byte & 0x7f) * scale;
      scale *= 0x80;
      isLast = byte < 0x80;
    }
    at += length;
    ends.push(at);
  }
  return Float64Array.from(ends);
}

/** Of writes on several sides, those of one. */
function shownRecords(backend: Backend): Uint8Array {
  const { memories = {} } = backend.materialize() as {
    readonly memories?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  const references = Object.values(memories)
    .flatMap((bucket) => Object.values(bucket))
    .filter((value) => value instanceof Uint8Array && value.length >= REFERENCE_BYTES) as Uint8Array[];
  const hashes = new Uint8Array(references.length * HASH_BYTES);
  for (const [index, reference] of references.entries())
    hashes.set(reference.subarray(0, HASH_BYTES), index * HASH_BYTES);
  return hashes;
}

/** The changes of a part, as they are stored. */
export const unpackChanges = ({ bytes, ends }: PackedChanges): readonly Uint8Array[] =>
  Array.from(ends, (end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));

/** Changes to be taken once, from the first to the last. */
export class ChangeList {
  readonly length: number;
  readonly #pieces: PackedChanges[];
  readonly #shown: Uint8Array;

  constructor({ pieces, shown = new Uint8Array() }: Partial<ListedChanges> & Pick<ListedChanges, "pieces">) {
    this.length = pieces.reduce((sum, { ends }) => sum + ends.length, 0);
    this.#pieces = [...pieces];
    this.#shown = shown;
  }

  /** Records that the branch shows once all is taken, as far as that is known: see `ListedChanges`. */
  shown(): ReadonlySet<RecordHash> {
    const hashes = new Set<RecordHash>();
    for (let start = 0; start < this.#shown.length; start += HASH_BYTES)
      hashes.add(bytesToHex(this.#shown.subarray(start, start + HASH_BYTES)) as RecordHash);
    return hashes;
  }

  /** At most so many at a time, and of large ones fewer. Memory of what was taken is given back. */
  *parts(size: number): Generator<PackedChanges, undefined> {
    for (let piece = this.#pieces.shift(); piece !== undefined; piece = this.#pieces.shift())
      for (let start = 0, end = 0; start < piece.ends.length; start = end) {
        end = partEnd(piece, start, size);
        yield partOf(piece, start, end);
      }
  }
}

/** Where the part ends that begins there; it has one change at least. */
function partEnd({ ends }: PackedChanges, start: number, size: number): number {
  const from = start === 0 ? 0 : (ends[start - 1] as number);
  let end = start + 1;
  while (end < Math.min(start + size, ends.length) && (ends[end] as number) - from <= PART_BYTES) end += 1;
  return end;
}

/** A copy: sending a part of a buffer to a thread sends all of it. */
function partOf({ bytes, ends }: PackedChanges, start: number, end: number): PackedChanges {
  const from = start === 0 ? 0 : (ends[start - 1] as number);
  const ofPart = ends.slice(start, end);
  return { bytes: bytes.slice(from, ofPart.at(-1)), ends: ofPart.map((until) => until - from) };
}
