/**
 * The same change again for another document: by other actors, after other changes, with another message, and with
 * other values of the same lengths. Its operations, their order and their time stay as they are.
 *
 * @module
 * @see https://automerge.org/automerge-binary-format-spec/
 */
import { bytesFromHex, bytesToHex, compareBytes, concatBytes, utf8ToBytes } from "./bytes.js";
import { type ChunkTools, plainChange, readFrame, unsignedBytes } from "./change-header.js";
import { badChunk, ChunkReader } from "./chunk-reader.js";

/** What is to be another. */
export interface ChangeCopy {
  /** Hexadecimal, in any order. */
  readonly deps: readonly string[];
  /** The whole message. Absent: as it was. */
  readonly message?: string | undefined;
  /** Returns who stands for an actor. It must keep their order, for operations name them by their place in it. */
  readonly actorOf: (actor: string) => string;
  /** Those of all operations, in their order, each as long as before. Absent: as they were. */
  readonly values?: readonly Uint8Array[] | undefined;
}

/** A change, and what names it. */
export interface CopiedChange {
  /** Hexadecimal. */
  readonly hash: string;
  /** Not compressed. */
  readonly bytes: Uint8Array;
}

const MARK_BYTES = 4;
/** Mark and checksum. */
const FRAME_BYTES = 8;
const HASH_BYTES = 32;
const CHANGE_TYPE = 1;
/** The column with the values of operations, one after the other. */
const VALUES = 0x57;

/**
 * @param chunk - a change, plain or deflated
 * @throws {CambiumError} BAD_CHUNK when it is none, or when actors or values do not fit
 */
export function copyChange(chunk: Uint8Array, tools: ChunkTools, copy: ChangeCopy): CopiedChange {
  const plain = plainChange(chunk, tools);
  const reader = new ChunkReader(plain);
  readFrame(reader);
  reader.unsigned(); // length
  reader.list(HASH_BYTES, () => reader.take(HASH_BYTES));
  const actor = reader.lengthPrefixed();
  const from = reader.position;
  for (let number = 0; number < 3; number += 1) reader.skipNumber(); // which change, its first operation, its time
  const numbers = plain.subarray(from, reader.position);
  const message = reader.lengthPrefixed();
  const others = reader.list(1, () => reader.lengthPrefixed());
  const body = concatBytes(
    listed(copy.deps.map(bytesFromHex).sort(compareBytes)),
    prefixed(actorBytes(copy, actor)),
    numbers,
    prefixed(copy.message === undefined ? message : utf8ToBytes(copy.message)),
    listed(othersInOrder(copy, others).map(prefixed)),
    columns(reader, copy.values),
  );
  const named = concatBytes(Uint8Array.of(CHANGE_TYPE), unsigned(body.length), body);
  const digest = tools.sha256(named);
  const bytes = concatBytes(
    plain.subarray(0, MARK_BYTES),
    digest.subarray(0, FRAME_BYTES - MARK_BYTES),
    named,
  );
  return { hash: bytesToHex(digest), bytes };
}

function actorBytes({ actorOf }: ChangeCopy, actor: Uint8Array): Uint8Array {
  return bytesFromHex(actorOf(bytesToHex(actor)));
}

function othersInOrder(copy: ChangeCopy, others: readonly Uint8Array[]): readonly Uint8Array[] {
  const made = others.map((other) => actorBytes(copy, other));
  const isInOrder = made.every(
    (one, place) => place === 0 || compareBytes(made[place - 1] as Uint8Array, one) < 0,
  );
  if (!isInOrder) throw badChunk("its actors would stand in another order");
  return made;
}

/** All columns as they are, but for the values. Whatever follows them stays. */
function columns(reader: ChunkReader, values: readonly Uint8Array[] | undefined): Uint8Array {
  const layout = reader.list(2, () => [reader.unsigned(), reader.unsigned()] as const);
  const kept = layout.flatMap(([specification, length]) => [unsigned(specification), unsigned(length)]);
  const contents = layout.map(([specification, length]) => {
    const content = reader.take(length);
    if (specification !== VALUES || values === undefined) return content;
    const made = concatBytes(...values);
    if (made.length !== content.length) throw badChunk("its values would have another length");
    return made;
  });
  return concatBytes(unsigned(layout.length), ...kept, ...contents, reader.take(reader.left));
}

const prefixed = (bytes: Uint8Array): Uint8Array => concatBytes(unsigned(bytes.length), bytes);
const listed = (items: readonly Uint8Array[]): Uint8Array => concatBytes(unsigned(items.length), ...items);
const unsigned = (value: number): Uint8Array => Uint8Array.from(unsignedBytes(value));
