/**
 * From drafts to sealed records and back. Reading trusts nothing: a record counts only if it opens
 * under its pack's key, hashes to its name, and names the space and memory it was found under.
 *
 * @module
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { CambiumError, isCambiumError } from "../errors.js";
import type { Platform } from "../platform.js";
import { adaptedMeta } from "../schema/adapters.js";
import { bytesEqual, bytesToHex } from "./bytes.js";
import { decodeCanonical, type Encodable, encodeCanonical } from "./encoding.js";
import { parseStoredFields } from "./fields.js";
import { damaged, decodeHeader, encodeHeader, headerAsRead } from "./header-codec.js";
import type { MemoryId, PackId, PartHash, RecordHash } from "./ids.js";
import { isUuid } from "./ids.js";
import { isObject } from "./is-object.js";
import type { SpaceKeys } from "./keys.js";
import {
  checkRecordSize,
  type ErasedExtent,
  encodePart,
  MAX_RECORD_BYTES,
  META_KEYS,
  type MemoryFields,
  type MemoryRecord,
  metaValue,
  PART_SALT_BYTES,
  type PartRef,
  partHash,
  type RecordHeader,
  type RecordNotes,
  type Reference,
  recordHash,
} from "./record.js";
import { type OpeningPlatform, type OpenPlace, open, type Sealed, seal, sealedEpoch } from "./seal.js";
import { broughtBackIn, versionSource } from "./source.js";
import { EMPTY_SETS } from "./state-fields.js";

/** A record to be written: everything but the hashes. */
export interface RecordDraft
  extends Omit<RecordHeader, "content" | "meta" | "deleted" | "space" | "broughtBack"> {
  /** All fields, whatever the record decides. */
  readonly fields: MemoryFields;
  /** What tells about this version, such as the reason for it. */
  readonly notes: RecordNotes;
  /** Earlier records, the likeliest first: a part that one of them has is named again, not written again. */
  readonly reuse?: readonly Pick<MemoryRecord, "fields" | "notes" | "parts">[] | undefined;
}

/** A record ready to be put into a pack. */
export interface SealedRecord {
  /** As anyone will read it. */
  readonly record: MemoryRecord;
  /** Sealed for the pack. */
  readonly header: Sealed;
  /** Those that are new, sealed for the pack. */
  readonly parts: ReadonlyMap<PartHash, Sealed>;
  /** Of the header and the new parts, sealed. */
  readonly sizeBytes: number;
}

/** What sealing and opening records needs. */
export interface Codec {
  /** For encryption, compression and randomness. */
  readonly platform: Platform;
  /** Of the space. */
  readonly keys: SpaceKeys;
}

/** As much of it as opening takes. */
export interface OpeningCodec {
  /** For decryption and decompression. */
  readonly platform: OpeningPlatform;
  /** Of the space. */
  readonly keys: Pick<SpaceKeys, "space" | "opening">;
}

/**
 * Returns a record ready to be put into a pack. Parts that an earlier record has are not sealed again.
 *
 * @throws {CambiumError} RECORD_TOO_LARGE above 1 MiB
 */
export async function sealRecord(
  { platform, keys }: Codec,
  pack: PackId,
  draft: RecordDraft,
): Promise<SealedRecord> {
  const parts = new Map<PartHash, Sealed>();
  const [key, epoch] = [keys.pack(pack), keys.epoch];
  const sealHere = (at: OpenPlace, bytes: Uint8Array) => seal(platform, { ...at, key }, bytes, epoch);
  let plainBytes = 0;
  const writePart = async (value: Encodable): Promise<PartRef> => {
    const bytes = encodePart(platform.random(PART_SALT_BYTES), value);
    const hash = partHash(bytes);
    plainBytes += bytes.length;
    parts.set(hash, await sealHere(partPlace(keys, pack, hash), bytes));
    return { hash, pack };
  };
  const { reuse = [], fields, notes, ...rest } = draft;
  const broughtBack = broughtBackIn(notes.source, draft.memory);
  const sameContent = reuse.find((earlier) => earlier.fields.content === fields.content);
  const metaOf = ({ fields, notes }: Pick<MemoryRecord, "fields" | "notes">): Encodable =>
    metaValue(fields, broughtBack === undefined ? notes : { ...notes, source: undefined });
  const metaBytes = encodeCanonical(metaOf(draft));
  const sameNotes = reuse.find((earlier) => bytesEqual(encodeCanonical(metaOf(earlier)), metaBytes));
  const content = sameContent?.parts.content ?? (await writePart(fields.content));
  const meta = sameNotes?.parts.meta ?? (await writePart(metaOf(draft)));
  const header: RecordHeader = {
    ...rest,
    space: keys.space,
    deleted: fields.deleted,
    content,
    meta,
    broughtBack,
  };
  const headerBytes = encodeHeader(header);
  checkRecordSize(plainBytes + headerBytes.length);
  const hash = recordHash(headerBytes);
  const sealedHeader = await sealHere(headerPlace(keys, pack, hash), headerBytes);
  // As everyone reads it, down to the order of sets and names, whatever order the draft had.
  const read = sameNotes ?? checkedMeta(decodeCanonical(metaBytes));
  return {
    record: assembleRecord({ record: hash, pack }, headerAsRead(header), fields.content, read),
    header: sealedHeader,
    parts,
    sizeBytes: [...parts.values()].reduce((sum, part) => sum + part.length, sealedHeader.length),
  };
}

/** Sealed bytes by name; a missing pack and a missing entry are the same to the reader. */
export interface SealedSource {
  /** Undefined if the pack or the entry is not here. */
  header(pack: PackId, hash: RecordHash): Promise<Sealed | undefined> | Sealed | undefined;
  /** Undefined if the pack or the entry is not here. */
  part(pack: PackId, hash: PartHash): Promise<Sealed | undefined> | Sealed | undefined;
  /** What a meta part says, where it was opened before: many records of a memory name the same one. */
  knownMeta?(hash: PartHash): RecordMeta | undefined;
  /** Called after a meta part was opened and checked. */
  noteMeta?(hash: PartHash, meta: RecordMeta): void;
  /** How much of a record is erased. It is not looked for, and reads as erased. */
  erasedExtent?(record: RecordHash, header: RecordHeader): ErasedExtent | undefined;
}

/** What stands beside the content, checked. Without the sets that are empty. */
export interface RecordMeta {
  /** All except `content` and `deleted`. */
  readonly fields: Partial<Omit<MemoryFields, "content" | "deleted">>;
  /** What tells about the version. */
  readonly notes: RecordNotes;
}

/** What became of opening a record. */
export type RecordReading =
  | { readonly status: "here"; readonly record: MemoryRecord }
  /** Not arrived yet, or not all of it: parts that did not change lie in the packs of earlier records. */
  | { readonly status: "missing"; readonly reference: Reference; readonly pack: PackId }
  /** Arrived, but it is not what its name says. Reported, and never shown. */
  | {
      readonly status: "invalid";
      /** The reference that was followed. */
      readonly reference: Reference;
      /** Why it counts for nothing, as a sentence. */
      readonly reason: string;
      /** Nothing is wrong with it, but for us. */
      readonly code?: "SCHEMA_TOO_NEW";
    };

/** Returns a record, or why it cannot be shown. Does not throw for what others wrote. */
export async function openRecord(
  codec: OpeningCodec,
  source: SealedSource,
  reference: Reference,
  memory: MemoryId,
): Promise<RecordReading> {
  try {
    const sealedHeader = await source.header(reference.pack, reference.record);
    if (sealedHeader === undefined) return { status: "missing", reference, pack: reference.pack };
    const header = await openHeader(codec, reference, sealedHeader);
    if (header.space !== codec.keys.space || header.memory !== memory) {
      return { status: "invalid", reference, reason: "The record belongs to another memory." };
    }
    const erased = source.erasedExtent?.(reference.record, header);
    const content = erased === undefined ? await openPart(codec, source, header.content) : "";
    const meta =
      erased === "whole"
        ? NOTHING_BESIDE
        : (source.knownMeta?.(header.meta.hash) ?? (await openMeta(codec, source, header.meta)));
    if (content === undefined) return { status: "missing", reference, pack: header.content.pack };
    if (meta === undefined) return { status: "missing", reference, pack: header.meta.pack };
    const record = assembleRecord(reference, header, checkedContent(content), meta);
    return { status: "here", record: erased === undefined ? record : { ...record, erased } };
  } catch (error) {
    if (isCambiumError(error, "SCHEMA_TOO_NEW"))
      return { status: "invalid", reference, reason: error.message, code: "SCHEMA_TOO_NEW" };
    if (isCambiumError(error, "STORE_DAMAGED"))
      return { status: "invalid", reference, reason: error.message };
    throw error;
  }
}

/** What is left beside the text of a record that is erased whole. */
const NOTHING_BESIDE: RecordMeta = { fields: {}, notes: {} };

/**
 * Returns the header of a record, for those who have to know what it names and not what it says.
 *
 * @throws {CambiumError} STORE_DAMAGED, SCHEMA_TOO_NEW
 */
export async function openHeader(
  { platform, keys }: OpeningCodec,
  { record, pack }: Reference,
  sealed: Sealed,
): Promise<RecordHeader> {
  const bytes = await open(platform, headerPlace(keys, pack, record), sealed, MAX_RECORD_BYTES);
  if (nameOf(platform, bytes) !== record) throw damaged("The record's bytes do not hash to its name.");
  return decodeHeader(bytes);
}

async function openMeta(
  codec: OpeningCodec,
  source: SealedSource,
  part: PartRef,
): Promise<RecordMeta | undefined> {
  const value = await openPart(codec, source, part);
  if (value === undefined) return undefined;
  const meta = checkedMeta(value);
  source.noteMeta?.(part.hash, meta);
  return meta;
}

async function openPart(
  { platform, keys }: OpeningCodec,
  source: SealedSource,
  part: PartRef,
): Promise<unknown> {
  const sealed = await source.part(part.pack, part.hash);
  if (sealed === undefined) return undefined;
  const bytes = await open(platform, partPlace(keys, part.pack, part.hash), sealed, MAX_RECORD_BYTES);
  if (nameOf(platform, bytes) !== part.hash) throw damaged("A part's bytes do not hash to its name.");
  const decoded = decodeCanonical(bytes);
  if (!Array.isArray(decoded) || decoded.length !== 2) throw damaged("A part is not salt and value.");
  return decoded[1];
}

/** Where an entry of a pack stands. */
export interface PackEntryName {
  /** The pack that it is sealed for. */
  readonly pack: PackId;
  /** What it is. */
  readonly map: "headers" | "parts";
  /** Its name: of a header that of the record. */
  readonly hash: string;
}

/**
 * Returns whether an entry is sealed under the key that is written under now: told from its head, unless two epochs that
 * were begun at once share their number.
 */
export async function isSealedNow(
  { platform, keys }: Codec,
  { pack, map, hash }: PackEntryName,
  sealed: Sealed,
): Promise<boolean> {
  if (sealedEpoch(sealed) !== keys.epoch) return false;
  if (keys.opening(`pack/${pack}`, keys.epoch).length === 1) return true;
  const place = { ...placeInPack(keys, pack, `${map}/${hash}`), key: keys.pack(pack) };
  return (await openedOrUndefined(platform, place, sealed)) !== undefined;
}

/**
 * Returns an entry sealed anew, under the key that is written under now.
 *
 * @returns undefined where it does not open here
 */
export async function resealed(
  codec: Codec,
  name: PackEntryName,
  sealed: Sealed,
): Promise<Sealed | undefined> {
  const bytes = await openPackEntry(codec, name, sealed);
  return bytes && sealPackEntry(codec, name, bytes);
}

/**
 * Returns what an entry of a pack says, without looking at it any further than that it bears its name.
 *
 * @returns undefined where it does not open here
 */
export async function openPackEntry(
  { platform, keys }: OpeningCodec,
  { pack, map, hash }: PackEntryName,
  sealed: Sealed,
): Promise<Uint8Array | undefined> {
  const bytes = await openedOrUndefined(platform, placeInPack(keys, pack, `${map}/${hash}`), sealed);
  return bytes === undefined || nameOf(platform, bytes) !== hash ? undefined : bytes;
}

/** Seals the bytes of a header or a part for their place in a pack. */
export function sealPackEntry(
  { platform, keys }: Codec,
  { pack, map, hash }: PackEntryName,
  bytes: Uint8Array,
): Promise<Sealed> {
  const place = { ...placeInPack(keys, pack, `${map}/${hash}`), key: keys.pack(pack) };
  return seal(platform, place, bytes, keys.epoch);
}

async function openedOrUndefined(
  platform: OpeningPlatform,
  place: OpenPlace,
  sealed: Sealed,
): Promise<Uint8Array | undefined> {
  try {
    return await open(platform, place, sealed, MAX_RECORD_BYTES);
  } catch (error) {
    if (isCambiumError(error, "STORE_DAMAGED")) return undefined;
    throw error;
  }
}

/** What headers and parts are called by. */
const nameOf = ({ sha256: digest = sha256 }: OpeningPlatform, bytes: Uint8Array): string =>
  bytesToHex(digest(bytes));

function assembleRecord(
  reference: Reference,
  header: RecordHeader,
  content: string,
  { fields, notes }: RecordMeta,
): MemoryRecord {
  const { deleted, content: contentPart, meta: metaPart, broughtBack, ...about } = header;
  const back =
    broughtBack && versionSource({ id: header.memory, record: broughtBack.record }, broughtBack.by);
  return {
    ...about,
    hash: reference.record,
    pack: reference.pack,
    fields: { ...EMPTY_SETS, ...fields, content, deleted },
    notes: back === undefined ? notes : { ...notes, source: back },
    parts: { content: contentPart, meta: metaPart },
  };
}

/** A member may run other code than ours: what is read is checked like what is written. */
function checkedContent(content: unknown): string {
  const { fields } = checked(() => parseStoredFields({ content }));
  return String(fields.content);
}

/** Fields of later versions are left out. */
function checkedMeta(value: unknown): RecordMeta {
  if (!isObject(value)) throw damaged("A part holds a value of the wrong kind.");
  const { derivedFrom, ...meta } = adaptedMeta(value);
  const known = Object.fromEntries(Object.entries(meta).filter(([name]) => META_KEYS.has(name)));
  const { fields, notes } = checked(() => parseStoredFields(known));
  if (derivedFrom === undefined) return { fields, notes };
  if (Array.isArray(derivedFrom) && derivedFrom.every((id) => isUuid(String(id))))
    return { fields, notes: { derivedFrom, ...notes } };
  throw damaged("A part names its origins by something else than ids.");
}

function checked<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (cause) {
    if (cause instanceof CambiumError)
      throw damaged(`A part holds a value of the wrong kind: ${cause.message}`);
    throw cause;
  }
}

const placeInPack = (keys: OpeningCodec["keys"], pack: PackId, entry: string): OpenPlace => ({
  space: keys.space,
  key: (epoch) => keys.opening(`pack/${pack}`, epoch),
  place: `pack/${pack}/${entry}`,
});

const headerPlace = (keys: OpeningCodec["keys"], pack: PackId, hash: RecordHash): OpenPlace =>
  placeInPack(keys, pack, `headers/${hash}`);

const partPlace = (keys: OpeningCodec["keys"], pack: PackId, hash: PartHash): OpenPlace =>
  placeInPack(keys, pack, `parts/${hash}`);
