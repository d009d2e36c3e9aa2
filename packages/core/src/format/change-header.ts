/**
 * The header of an Automerge change, read from its bytes without Automerge: what it depends on, who made it, as
 * which of their changes, and which operations it has. Bytes that others sent are looked at here first.
 *
 * A chunk is 4 bytes that mark it, 4 bytes of checksum, its type, the length of the rest, and the rest. The hash of
 * a change is the SHA-256 of type, length and rest, before compression; the checksum is the beginning of the hash.
 *
 * @module
 * @see https://automerge.org/automerge-binary-format-spec/
 */
import type { Digest } from "../platform.js";
import { bytesToHex } from "./bytes.js";
import { badChunk, ChunkReader } from "./chunk-reader.js";

/** What reading a chunk needs of the machine. */
export interface ChunkTools {
  /** Returns the 32 bytes of the digest. */
  readonly sha256: Digest;
  /** Raw DEFLATE, in one call. Throws when the result would exceed `maxBytes`. */
  readonly inflate: (bytes: Uint8Array, maxBytes: number) => Uint8Array;
}

/** One piece of Automerge's binary format. */
export interface Chunk {
  /** A bundle is several changes in one, which Automerge has as an experiment. */
  readonly kind: "document" | "change" | "deflated-change" | "bundle";
  /** With marks, checksum, type and length. */
  readonly bytes: Uint8Array;
}

/** What the header of a change says. */
export interface ChangeHeader {
  /** Hexadecimal, like `deps` and `actor`. */
  readonly hash: string;
  /** Hashes of the changes that it follows. */
  readonly deps: readonly string[];
  /** Who made it. */
  readonly actor: string;
  /** Which of its actor's changes it is, counted from 1. */
  readonly seq: number;
  /** Its operations are numbered from `startOp` to `maxOp`; one without operations ends before it starts. */
  readonly startOp: number;
  /** The number of its last operation. */
  readonly maxOp: number;
  /** What its operations are applied to, as operation ids `counter@actor`; the root has none. */
  readonly objects: readonly string[];
}

/** A change may inflate to this: more than one message to or from a relay holds. */
const MAX_CHANGE_BYTES = 64 * 1024 * 1024;
/** In one change. Equal operations take no room in the bytes, and all of theirs in memory. */
const MAX_OPERATIONS = 2 ** 20;

const MARK = [0x85, 0x6f, 0x4a, 0x83] as const;
const CHECKSUM_START = 4;
const TYPE_OFFSET = 8;
const KINDS = ["document", "change", "deflated-change", "bundle"] as const;
const CHANGE_TYPE = 1;
const HASH_BYTES = 32;
/** Columns of a change: number and type of content, as one number. */
export const COLUMNS = { objectActor: 0x01, objectCounter: 0x02, keyText: 0x15, action: 0x42 } as const;

/**
 * Takes apart what may be several chunks in one piece.
 *
 * @throws {CambiumError} BAD_CHUNK when the bytes are not whole chunks of a known kind
 */
export function splitChunks(piece: Uint8Array): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = 0; start < piece.length; ) {
    const reader = new ChunkReader(piece.subarray(start));
    const kind = readFrame(reader);
    const length = reader.unsigned();
    reader.take(length);
    const isAll = start === 0 && reader.position === piece.length;
    chunks.push({ kind, bytes: isAll ? piece : piece.subarray(start, start + reader.position) });
    start += reader.position;
  }
  return chunks;
}

/** The hash that a whole chunk of a change has. */
export function changeHash(chunk: Uint8Array, tools: ChunkTools): string {
  return bytesToHex(tools.sha256(plainChange(chunk, tools).subarray(TYPE_OFFSET)));
}

/**
 * Whether a chunk matches its checksum. Automerge does not say so of the first chunk that an empty document is given:
 * it takes in nothing, without an error.
 *
 * @throws {CambiumError} BAD_CHUNK when it cannot be inflated
 */
export function matchesChecksum({ kind, bytes }: Chunk, tools: ChunkTools): boolean {
  const plain = kind === "deflated-change" ? plainChange(bytes, tools) : bytes;
  return startsWithChecksum(plain, tools.sha256(plain.subarray(TYPE_OFFSET)));
}

const startsWithChecksum = (chunk: Uint8Array, digest: Uint8Array): boolean =>
  digest
    .subarray(0, TYPE_OFFSET - CHECKSUM_START)
    .every((byte, index) => chunk[CHECKSUM_START + index] === byte);

/**
 * @param chunk - a change, plain or deflated, and nothing behind it
 * @throws {CambiumError} BAD_CHUNK when it is not one, whole and as its checksum says
 */
export function readChangeHeader(chunk: Uint8Array, tools: ChunkTools): ChangeHeader {
  const plain = plainChange(chunk, tools);
  const digest = tools.sha256(plain.subarray(TYPE_OFFSET));
  if (!startsWithChecksum(plain, digest)) throw badChunk("its checksum is another");
  const reader = new ChunkReader(plain);
  readFrame(reader);
  if (reader.unsigned() !== reader.left) throw badChunk("its length is another");
  return { hash: bytesToHex(digest), ...readBody(reader) };
}

const headers = new WeakMap<Uint8Array, ChangeHeader>();

/**
 * The header of a change that several look at on its way into a document: it is read once. Its bytes must not be
 * altered.
 *
 * @throws {CambiumError} BAD_CHUNK
 */
export function headerOf(chunk: Uint8Array, tools: ChunkTools): ChangeHeader {
  const known = headers.get(chunk);
  if (known !== undefined) return known;
  const header = readChangeHeader(chunk, tools);
  headers.set(chunk, header);
  return header;
}

/**
 * The message of a change, as its writer put it there; empty without one.
 *
 * @throws {CambiumError} BAD_CHUNK
 */
export function messageOf(chunk: Uint8Array, tools: ChunkTools): string {
  const reader = new ChunkReader(plainChange(chunk, tools));
  readFrame(reader);
  reader.unsigned(); // length
  return new TextDecoder().decode(readStart(reader).message);
}

/** The columns of a change whose header was read before, by their specifications. */
export function changeColumns(plain: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const reader = new ChunkReader(plain);
  readFrame(reader);
  reader.unsigned(); // length
  readStart(reader);
  return readColumns(reader);
}

function readBody(reader: ChunkReader): Omit<ChangeHeader, "hash"> {
  const { deps, actor, seq, startOp, others } = readStart(reader);
  if (seq < 1 || startOp < 1) throw badChunk("its numbers start at 0");
  const columns = readColumns(reader);
  const operations = countRows(columns.get(COLUMNS.action));
  if (operations > MAX_OPERATIONS) throw badChunk(`it has more than ${MAX_OPERATIONS} operations`);
  const objects = readObjects(columns, [actor, ...others]);
  return { deps, actor, seq, startOp, maxOp: startOp + operations - 1, objects };
}

/** What stands before the columns. */
function readStart(reader: ChunkReader) {
  const deps = reader.list(HASH_BYTES, () => bytesToHex(reader.take(HASH_BYTES)));
  const actor = bytesToHex(reader.lengthPrefixed());
  const [seq, startOp] = [reader.unsigned(), reader.unsigned()];
  reader.skipNumber(); // time
  const message = reader.lengthPrefixed();
  const others = reader.list(1, () => bytesToHex(reader.lengthPrefixed()));
  return { deps, actor, seq, startOp, message, others };
}

/** Reads a chunk's mark, checksum and type. */
export function readFrame(reader: ChunkReader): Chunk["kind"] {
  const mark = reader.take(MARK.length);
  if (!MARK.every((byte, index) => mark[index] === byte)) throw badChunk("it is not marked as one");
  reader.take(TYPE_OFFSET - CHECKSUM_START);
  const kind = KINDS[reader.byte()];
  if (kind === undefined) throw badChunk("its kind is unknown");
  return kind;
}

/**
 * A change as it is before compression. Its hash is the same.
 *
 * @throws {CambiumError} BAD_CHUNK when it is not a change, or inflates to more than 64 MiB
 */
export function plainChange(chunk: Uint8Array, tools: ChunkTools): Uint8Array {
  const type = chunk[TYPE_OFFSET];
  if (type === CHANGE_TYPE) return chunk;
  if (type === undefined || KINDS[type] !== "deflated-change") throw badChunk("it is not a change");
  const reader = new ChunkReader(chunk);
  readFrame(reader);
  const body = inflate(reader.take(reader.unsigned()), tools);
  if (reader.left > 0) throw badChunk("something stands behind it");
  const length = unsignedBytes(body.length);
  const plain = new Uint8Array(TYPE_OFFSET + 1 + length.length + body.length);
  plain.set(chunk.subarray(0, TYPE_OFFSET));
  plain[TYPE_OFFSET] = CHANGE_TYPE;
  plain.set(length, TYPE_OFFSET + 1);
  plain.set(body, TYPE_OFFSET + 1 + length.length);
  return plain;
}

function inflate(bytes: Uint8Array, tools: ChunkTools): Uint8Array {
  try {
    return tools.inflate(bytes, MAX_CHANGE_BYTES);
  } catch (cause) {
    throw badChunk("it cannot be inflated", cause);
  }
}

function readColumns(reader: ChunkReader): ReadonlyMap<number, Uint8Array> {
  const layout = reader.list(2, () => [reader.unsigned(), reader.unsigned()] as const);
  const columns = new Map<number, Uint8Array>();
  for (const [specification, length] of layout) columns.set(specification, reader.take(length));
  return columns;
}

function countRows(column: Uint8Array | undefined): number {
  let rows = 0;
  for (const { count } of runs(column)) rows += count;
  return rows;
}

function readObjects(columns: ReadonlyMap<number, Uint8Array>, actors: readonly string[]): readonly string[] {
  const objects = new Set<string>();
  const counters = runs(columns.get(COLUMNS.objectCounter));
  let counter = counters.next().value;
  let used = 0;
  for (const actor of runs(columns.get(COLUMNS.objectActor))) {
    for (let left = actor.count; left > 0; ) {
      if (counter === undefined || (counter.value === undefined) !== (actor.value === undefined))
        throw badChunk("its objects have half a name");
      if (actor.value !== undefined) objects.add(`${counter.value}@${actorAt(actors, actor.value)}`);
      const step = Math.min(left, counter.count - used);
      left -= step;
      used += step;
      if (used === counter.count) {
        counter = counters.next().value;
        used = 0;
      }
    }
  }
  return [...objects];
}

function actorAt(actors: readonly string[], index: number): string {
  const actor = actors[index];
  if (actor === undefined) throw badChunk("it names an actor that it does not list");
  return actor;
}

interface Run {
  readonly count: number;
  /** Undefined stands for no value. */
  readonly value: number | undefined;
}

/**
 * A column of numbers: a positive count and one number that many times; a negative one and that many numbers; or 0
 * and how often there is none.
 */
function* runs(column: Uint8Array = new Uint8Array()): Generator<Run, undefined> {
  const reader = new ChunkReader(column);
  while (reader.left > 0) {
    const count = reader.signed();
    if (count > 0) {
      yield { count, value: reader.unsigned() };
    } else if (count === 0) {
      yield { count: reader.unsigned(), value: undefined };
    } else {
      for (let left = -count; left > 0; left -= 1) yield { count: 1, value: reader.unsigned() };
    }
  }
}

/** Seven bits a byte, low ones first. */
export function unsignedBytes(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
