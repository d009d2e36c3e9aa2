/**
 * Segments: stretches of a log in fewer bytes, for storing them and for sending them as they are stored.
 *
 * A segment is one piece of bytes, compressed as a whole. It lists documents, actors, and hashes of changes that stand
 * before it; then come the columns: the code of each entry, the number of its document; of each change how many
 * dependencies it has and which, its actor's number; the lengths of what is left of each entry, and that itself. A
 * dependency is twice the distance to an entry of the segment, or twice a place in the list of hashes plus one. Hash and
 * checksum of a change follow from its bytes.
 *
 * @module
 */
import { bytesFromHex, bytesToHex } from "../format/bytes.js";
import { ChunkReader } from "../format/chunk-reader.js";
import type { Digest } from "../platform.js";
import { FrameReader, HASH_BYTES, ID_BYTES } from "./frame-bytes.js";
import { GONE_FLAG, LOG_KINDS } from "./items.js";
import { LOG_LIMITS } from "./limits.js";
import { malformedFrame } from "./malformed.js";
import { NumberColumn } from "./number-column.js";

/** One entry, as a segment takes it and gives it back. */
export interface SegmentEntry {
  /** See {@link LOG_KINDS}. */
  readonly kind: number;
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** 64 hexadecimal digits. */
  readonly hash: string;
  /** The chunk, or the body of another kind. Undefined when it is erased. */
  readonly bytes: Uint8Array | undefined;
}

/** Mark, checksum and type of a chunk. */
const CHUNK_START = Uint8Array.of(0x85, 0x6f, 0x4a, 0x83, 0, 0, 0, 0, 1);
const CHECKSUM = { start: 4, end: 8 } as const;
/** A change that is taken apart. Other entries have the number of their kind, with a flag when they are erased. */
const APART = 0;
/** Numbers of documents, counts and lengths: at least so many bytes has an entry. */
const LEAST_ENTRY_BYTES = 3;

/** Collects entries that follow each other. */
export class SegmentWriter {
  readonly #documents = new Map<string, number>();
  readonly #actors = new Map<string, number>();
  readonly #hashes = new Map<string, number>();
  /** Places of the changes, by their hashes. */
  readonly #places = new Map<string, number>();
  readonly #codes = new NumberColumn();
  readonly #documentNos = new NumberColumn();
  readonly #deps = new NumberColumn();
  readonly #actorNos = new NumberColumn();
  readonly #lengths = new NumberColumn();
  readonly #tails: Uint8Array[] = [];
  #count = 0;
  #sizeBytes = 0;

  /** How many entries it has. */
  get count(): number {
    return this.#count;
  }

  /** How many bytes they have together. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Adds the next entry. */
  add({ kind, document, hash, bytes }: SegmentEntry): void {
    const apart = kind === LOG_KINDS.change && bytes !== undefined ? takenApart(bytes) : undefined;
    this.#documentNos.add(numberIn(this.#documents, document));
    if (apart !== undefined) this.#addChange(apart);
    else this.#codes.add(bytes === undefined ? kind | GONE_FLAG : kind);
    const tail = apart?.tail ?? bytes ?? bytesFromHex(hash);
    this.#lengths.add(tail.length);
    this.#tails.push(tail);
    if (kind === LOG_KINDS.change) this.#places.set(hash, this.#count);
    this.#count += 1;
    this.#sizeBytes += bytes?.length ?? tail.length;
  }

  #addChange({ deps, actor }: Apart): void {
    this.#codes.add(APART);
    this.#deps.add(deps.length);
    for (const dep of deps) {
      const place = this.#places.get(dep);
      this.#deps.add(place === undefined ? numberIn(this.#hashes, dep) * 2 + 1 : (this.#count - place) * 2);
    }
    this.#actorNos.add(numberIn(this.#actors, actor));
  }

  /** The bytes, not yet compressed. */
  done(): Uint8Array {
    const start = new NumberColumn().add(this.#documents.size);
    for (const document of this.#documents.keys()) start.bytes(bytesFromHex(document));
    start.add(this.#actors.size);
    for (const actor of this.#actors.keys()) start.add(actor.length / 2).bytes(bytesFromHex(actor));
    start.add(this.#hashes.size);
    for (const hash of this.#hashes.keys()) start.bytes(bytesFromHex(hash));
    start.add(this.#count);
    for (const column of [this.#codes, this.#documentNos, this.#deps, this.#actorNos, this.#lengths])
      start.bytes(column.done());
    for (const tail of this.#tails) start.bytes(tail);
    return start.done();
  }
}

/** Reads entries of a segment, each when it is asked for. */
export class SegmentReader {
  readonly #sha256: Digest;
  readonly #documents: readonly string[];
  readonly #actors: readonly Uint8Array[];
  readonly #hashes: readonly Uint8Array[];
  readonly #codes: readonly number[];
  readonly #documentNos: readonly number[];
  readonly #deps: readonly (readonly number[])[];
  readonly #actorNos: readonly number[];
  readonly #tails: readonly Uint8Array[];

  /**
   * @param bytes - not compressed any more
   * @throws {CambiumError} RELAY_PROTOCOL when they are no segment
   */
  constructor(bytes: Uint8Array, sha256: Digest) {
    this.#sha256 = sha256;
    const reader = new FrameReader(bytes);
    const most = LOG_LIMITS.relayItems;
    this.#documents = reader.bounded(most, ID_BYTES, () => reader.id());
    this.#actors = reader.bounded(most, 1, () => reader.lengthPrefixed());
    this.#hashes = reader.bounded(LOG_LIMITS.relayBytes, HASH_BYTES, () => reader.take(HASH_BYTES));
    const count = reader.unsigned();
    if (count > most || count * LEAST_ENTRY_BYTES > reader.left)
      throw malformedFrame("it has too many entries");
    const column = (): readonly number[] => Array.from({ length: count }, () => reader.unsigned());
    this.#codes = column();
    this.#documentNos = column();
    this.#deps = this.#codes.map((code) => (code === APART ? reader.list(1, () => reader.unsigned()) : []));
    this.#actorNos = this.#codes.map((code) => (code === APART ? reader.unsigned() : 0));
    this.#tails = column().map((length) => reader.take(length));
    reader.end();
  }

  /** How many entries it has. */
  get count(): number {
    return this.#codes.length;
  }

  /**
   * @param at - counted from 0
   * @param hashAt - the hash of an earlier entry
   * @throws {CambiumError} RELAY_PROTOCOL when it cannot be read
   */
  entry(at: number, hashAt: (at: number) => string): SegmentEntry {
    const [code, tail] = [this.#codes[at], this.#tails[at]];
    const document = this.#documents[this.#documentNos[at] as number];
    if (code === undefined || tail === undefined || document === undefined)
      throw malformedFrame("an entry names a document that is not listed");
    if (code === APART) return { kind: LOG_KINDS.change, document, ...this.#change(at, tail, hashAt) };
    const kind = code & ~GONE_FLAG;
    if (kind !== code) {
      if (tail.length !== HASH_BYTES) throw malformedFrame("an erased entry has no hash");
      return { kind, document, hash: bytesToHex(tail), bytes: undefined };
    }
    const hashed = kind === LOG_KINDS.change ? tail.subarray(CHECKSUM.end) : tail;
    return { kind, document, hash: bytesToHex(this.#sha256(hashed)), bytes: tail };
  }

  /** How many bytes the entry has when it is put together. */
  sizeAt(at: number): number {
    const tail = (this.#tails[at] as Uint8Array).length;
    if (this.#codes[at] !== APART) return tail;
    return (
      tail +
      (this.#deps[at] as readonly number[]).length * HASH_BYTES +
      this.#actorAt(at).length +
      2 * LEAST_ENTRY_BYTES +
      CHUNK_START.length
    );
  }

  #change(at: number, tail: Uint8Array, hashAt: (at: number) => string) {
    const deps = (this.#deps[at] as readonly number[]).map((dep) => this.#hashOf(at, dep, hashAt));
    const body = new NumberColumn().add(deps.length);
    for (const dep of deps) body.bytes(dep);
    const actor = this.#actorAt(at);
    body.add(actor.length).bytes(actor).bytes(tail);
    const bytes = new NumberColumn().bytes(CHUNK_START).add(body.length).bytes(body.done()).done();
    const digest = this.#sha256(bytes.subarray(CHECKSUM.end));
    bytes.set(digest.subarray(0, CHECKSUM.end - CHECKSUM.start), CHECKSUM.start);
    return { hash: bytesToHex(digest), bytes };
  }

  #actorAt(at: number): Uint8Array {
    const actor = this.#actors[this.#actorNos[at] as number];
    if (actor === undefined) throw malformedFrame("an entry names an actor that is not listed");
    return actor;
  }

  #hashOf(at: number, dep: number, hashAt: (at: number) => string): Uint8Array {
    const half = Math.floor(dep / 2);
    const isWithin = dep % 2 === 0 && half > 0 && half <= at;
    const hash = isWithin ? bytesFromHex(hashAt(at - half)) : this.#hashes[half];
    if (hash === undefined || (!isWithin && dep % 2 === 0))
      throw malformedFrame("an entry depends on what is not there");
    return hash;
  }
}

/**
 * All entries of a segment.
 *
 * @throws {CambiumError} RELAY_PROTOCOL when the bytes are no segment, or have more than a frame may have
 */
export function readSegment(bytes: Uint8Array, sha256: Digest): readonly SegmentEntry[] {
  const reader = new SegmentReader(bytes, sha256);
  const entries: SegmentEntry[] = [];
  let sizeBytes = 0;
  for (let at = 0; at < reader.count; at += 1) {
    sizeBytes += reader.sizeAt(at);
    if (sizeBytes > LOG_LIMITS.relayBytes) throw malformedFrame("its entries are too large");
    entries.push(reader.entry(at, (place) => (entries[place] as SegmentEntry).hash));
  }
  return entries;
}

interface Apart {
  readonly deps: readonly string[];
  readonly actor: string;
  readonly tail: Uint8Array;
}

/** @returns undefined when it could not be put together again */
function takenApart(chunk: Uint8Array): Apart | undefined {
  try {
    const reader = new ChunkReader(chunk);
    const start = reader.take(CHUNK_START.length);
    const isPlain = CHUNK_START.every(
      (byte, at) => byte === start[at] || (at >= CHECKSUM.start && at < CHECKSUM.end),
    );
    if (!isPlain || reader.unsigned() !== reader.left) return undefined;
    const deps = reader.list(HASH_BYTES, () => bytesToHex(reader.take(HASH_BYTES)));
    const actor = bytesToHex(reader.lengthPrefixed());
    return { deps, actor, tail: reader.take(reader.left) };
  } catch {
    return undefined;
  }
}

function numberIn(list: Map<string, number>, item: string): number {
  const known = list.get(item);
  if (known !== undefined) return known;
  list.set(item, list.size);
  return list.size - 1;
}
