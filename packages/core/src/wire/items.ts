/**
 * What a batch brings to the log and what the log gives: changes, forks, retirements.
 *
 * A list of items is one piece of bytes: how many documents and their ids, how many items, and for each item its kind,
 * the number of its document in that list, and its length and bytes. A reader can thus pass over a kind it does not
 * know, and still compute the mark behind it.
 *
 * @module
 */

import { bytesToHex } from "../format/bytes.js";
import { type ChunkTools, changeHash } from "../format/change-header.js";
import { FrameReader, FrameWriter, HASH_BYTES, ID_BYTES } from "./frame-bytes.js";
import { LOG_LIMITS } from "./limits.js";
import { malformedFrame } from "./malformed.js";
import type { MarkedEntry } from "./marks.js";

/** The numbers of the kinds of entries, on the wire and under the marks. */
export const LOG_KINDS = { change: 1, fork: 2, retire: 3 } as const;
/** Of an entry of which only the hash is sent. */
const OWN_FLAG = 0x80;
export const GONE_FLAG = 0x40;
const KIND_BITS = 0x3f;

/** A change of a document. */
export interface ChangeItem {
  /** Which kind of item this is. */
  readonly kind: "change";
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** One change chunk of Automerge, not deflated. */
  readonly chunk: Uint8Array;
}

/** A document begins with all that another has up to some heads. */
export interface ForkItem {
  /** Which kind of item this is. */
  readonly kind: "fork";
  /** The new document, 32 hexadecimal digits. */
  readonly document: string;
  /** The document that it is made of. */
  readonly from: string;
  /** What it has: these changes and all that they follow. 64 hexadecimal digits each. */
  readonly heads: readonly string[];
}

/** A document of records is given up, and its bytes are erased. */
export interface RetireItem {
  /** Which kind of item this is. */
  readonly kind: "retire";
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** Documents that have all of its other records and parts, at most 64. */
  readonly carriedIn: readonly string[];
  /** Hashes of the records and parts that no document has to have any more; 64 hexadecimal digits each. */
  readonly erased: readonly string[];
}

/** An entry of which the relay sends no bytes. */
export interface KnownItem {
  /** `own`: this session has sent it. `gone`: its bytes are erased. */
  readonly kind: "own" | "gone";
  /** See {@link LOG_KINDS}. */
  readonly of: number;
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** 64 hexadecimal digits. */
  readonly hash: string;
}

/** An entry of a kind that a later version added. */
export interface OtherItem {
  /** Which kind of item this is. */
  readonly kind: "other";
  /** Its number. */
  readonly of: number;
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** What it says. */
  readonly bytes: Uint8Array;
}

/** What a batch may hold. */
export type BatchItem = ChangeItem | ForkItem | RetireItem;
/** What a relay may send of its log. */
export type EntryItem = BatchItem | KnownItem | OtherItem;

/** Room for a few numbers. */
const NUMBERS_BYTES = 24;

/** Puts items together as one piece of bytes. */
export function encodeItems(items: readonly EntryItem[]): Uint8Array {
  const list = new ItemList(items.map(({ document }) => document));
  return list.of(items.map((item) => list.encode(item)));
}

/** Puts together items of some documents, of which some are encoded once and used several times. */
export class ItemList {
  readonly #places = new Map<string, number>();

  constructor(documents: readonly string[]) {
    for (const document of documents)
      if (!this.#places.has(document)) this.#places.set(document, this.#places.size);
  }

  /** @returns a part of what {@link of} makes */
  encode(item: EntryItem): Uint8Array {
    const [body, place] = [itemBody(item), this.#places.get(item.document) as number];
    const writer = new FrameWriter(body.length + NUMBERS_BYTES);
    return writer.byte(codeOf(item)).unsigned(place).prefixed(body).done();
  }

  /** @param encoded - all items in order */
  of(encoded: readonly Uint8Array[]): Uint8Array {
    const sizeBytes = encoded.reduce((sum, { length }) => sum + length, this.#places.size * ID_BYTES);
    const writer = new FrameWriter(sizeBytes + NUMBERS_BYTES).unsigned(this.#places.size);
    for (const document of this.#places.keys()) writer.id(document);
    writer.unsigned(encoded.length);
    for (const item of encoded) writer.bytes(item);
    return writer.done();
  }
}

/**
 * How many items bytes claim to hold, before any of them is looked at.
 *
 * @throws {CambiumError} RELAY_PROTOCOL when they do not begin as items do
 */
export function countItems(bytes: Uint8Array): number {
  const reader = new FrameReader(bytes);
  reader.take(reader.unsigned() * ID_BYTES);
  return reader.unsigned();
}

/** @throws {CambiumError} RELAY_PROTOCOL when the bytes are not items that a batch may hold */
export function decodeBatchItems(bytes: Uint8Array): readonly BatchItem[] {
  return decodeItems(bytes, LOG_LIMITS.batchItems).map((item) => {
    if (item.kind === "change" || item.kind === "fork" || item.kind === "retire") return item;
    throw malformedFrame(`a batch has no items of kind "${item.kind}"`);
  });
}

/** @throws {CambiumError} RELAY_PROTOCOL when the bytes are not items */
export function decodeEntryItems(bytes: Uint8Array): readonly EntryItem[] {
  return decodeItems(bytes, LOG_LIMITS.relayItems);
}

/** An entry as the chain of marks takes it. */
export function markedEntry(item: EntryItem, tools: ChunkTools): MarkedEntry {
  const { document } = item;
  if (item.kind === "own" || item.kind === "gone") return { kind: item.of, document, hash: item.hash };
  if (item.kind === "change")
    return { kind: LOG_KINDS.change, document, hash: changeHash(item.chunk, tools) };
  return { kind: codeOf(item), document, hash: bytesToHex(tools.sha256(itemBody(item))) };
}

function codeOf(item: EntryItem): number {
  switch (item.kind) {
    case "own":
      return item.of | OWN_FLAG;
    case "gone":
      return item.of | GONE_FLAG;
    case "other":
      return item.of;
    default:
      return LOG_KINDS[item.kind];
  }
}

/** The bytes that stand for an item on the wire; of all kinds but changes, its hash is the SHA-256 of them. */
export function itemBody(item: EntryItem): Uint8Array {
  switch (item.kind) {
    case "change":
      return item.chunk;
    case "fork":
      return hashesOf(new FrameWriter().id(item.from), item.heads);
    case "retire": {
      const writer = new FrameWriter().unsigned(item.carriedIn.length);
      for (const document of item.carriedIn) writer.id(document);
      return hashesOf(writer, item.erased);
    }
    case "other":
      return item.bytes;
    default:
      return new FrameWriter().hash(item.hash).done();
  }
}

function hashesOf(writer: FrameWriter, hashes: readonly string[]): Uint8Array {
  for (const hash of hashes) writer.hash(hash);
  return writer.done();
}

/** Kind, number of the document, and a length. */
const LEAST_ITEM_BYTES = 3;

function decodeItems(bytes: Uint8Array, max: number): readonly EntryItem[] {
  const reader = new FrameReader(bytes);
  const documents = reader.bounded(max, ID_BYTES, () => reader.id());
  const items = reader.bounded(max, LEAST_ITEM_BYTES, () => {
    const code = reader.byte();
    const document = documents[reader.unsigned()];
    if (document === undefined) throw malformedFrame("an item names a document that is not listed");
    return itemOf(code, document, reader.lengthPrefixed());
  });
  reader.end();
  return items;
}

/** An entry that is there in full. @param code - the number of its kind */
export const entryItem = (code: number, document: string, body: Uint8Array): EntryItem =>
  itemOf(code & KIND_BITS, document, body);

function itemOf(code: number, document: string, body: Uint8Array): EntryItem {
  const of = code & KIND_BITS;
  if (of === 0) throw malformedFrame("an item has no kind");
  if (code > KIND_BITS) return knownItem(code, of, document, body);
  const reader = new FrameReader(body);
  switch (code) {
    case LOG_KINDS.change:
      if (body.length === 0) throw malformedFrame("a change is empty");
      return { kind: "change", document, chunk: body };
    case LOG_KINDS.fork: {
      const from = reader.id();
      const heads = reader.hashes(LOG_LIMITS.forkHeads);
      if (heads.length === 0) throw malformedFrame("a fork has no heads");
      return { kind: "fork", document, from, heads };
    }
    case LOG_KINDS.retire: {
      const carriedIn = reader.bounded(LOG_LIMITS.retireCarriers, ID_BYTES, () => reader.id());
      return {
        kind: "retire",
        document,
        carriedIn,
        erased: reader.hashes(LOG_LIMITS.batchBytes / HASH_BYTES),
      };
    }
    default:
      return { kind: "other", of, document, bytes: body };
  }
}

function knownItem(code: number, of: number, document: string, body: Uint8Array): KnownItem {
  if (code === (of | OWN_FLAG | GONE_FLAG)) throw malformedFrame("an item is both own and gone");
  const reader = new FrameReader(body);
  const hash = reader.hash();
  reader.end();
  return { kind: code >= OWN_FLAG ? "own" : "gone", of, document, hash };
}
