/**
 * Records: immutable versions of memories. A record is a header (who, when, what it follows, which
 * fields it decides) and two parts (content; everything else that may have to be erased). The header
 * names its parts by hash and is itself named by hash, so content can be erased but not altered unseen.
 *
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { CambiumError } from "../errors.js";
import { withSchema } from "../schema/adapters.js";
import { bytesToHex } from "./bytes.js";
import { type Encodable, encodeCanonical } from "./encoding.js";
import type { MemoryId, PackId, PartHash, RecordHash, ReplicaId, SpaceId } from "./ids.js";
import {
  type GitPin,
  type Link,
  type MemoryFields,
  NOTE_NAMES,
  type RecordNotes,
  SET_FIELDS,
  STATE_FIELDS,
  type StateField,
} from "./state-fields.js";

export { type GitPin, type Link, type MemoryFields, type RecordNotes, STATE_FIELDS, type StateField };

export interface Author {
  readonly agent?: string | undefined;
  readonly replica: ReplicaId;
  readonly session?: string | undefined;
  readonly conversation?: string | undefined;
  readonly trigger?: string | undefined;
}

export type RecordType =
  | "create"
  | "update"
  | "enrich"
  | "correct"
  | "move"
  | "tag"
  | "forget"
  | "restore"
  | "resolve"
  | "combine"
  | "split"
  | "merge"
  | "undo"
  | "rollback"
  | "import"
  | "name";

export interface PartRef {
  readonly hash: PartHash;
  readonly pack: PackId;
}

/** Where a record can be found. In a branch document it is 48 bytes: hash ‖ pack. */
export interface Reference {
  readonly record: RecordHash;
  readonly pack: PackId;
}

export interface RecordHeader {
  readonly space: SpaceId;
  readonly memory: MemoryId;
  /** The tips whose content the writer had. */
  readonly parents: readonly RecordHash[];
  /** Milliseconds since 1970 by the writer's corrected clock. */
  readonly at: number;
  readonly type: RecordType;
  /** The fields this record decides; a record without parents decides them all. */
  readonly decides: readonly StateField[];
  readonly author: Author;
  readonly deleted: boolean;
  readonly content: PartRef;
  readonly meta: PartRef;
}

/** A header with its parts read: one version of one memory. */
export interface MemoryRecord extends Omit<RecordHeader, "content" | "meta" | "deleted"> {
  readonly hash: RecordHash;
  readonly pack: PackId;
  readonly fields: MemoryFields;
  readonly notes: RecordNotes;
  readonly parts: { readonly content: PartRef; readonly meta: PartRef };
}

export const MAX_RECORD_BYTES = 1_048_576;
export const PART_SALT_BYTES = 16;

/** @param salt - 16 random bytes, so that equal contents cannot be recognised by their hash */
export function encodePart(salt: Uint8Array, value: Encodable): Uint8Array {
  const bytes = encodeCanonical([salt, value]);
  checkRecordSize(bytes.length);
  return bytes;
}

/** @throws {CambiumError} RECORD_TOO_LARGE, because nobody could open it again */
export function checkRecordSize(sizeBytes: number): void {
  if (sizeBytes <= MAX_RECORD_BYTES) return;
  throw new CambiumError(
    "RECORD_TOO_LARGE",
    "A memory holds at most 1 MiB; split it, or link to the whole text.",
    { details: { sizeBytes, maxBytes: MAX_RECORD_BYTES } },
  );
}

/** What the meta part may hold besides `derivedFrom`. */
export const META_KEYS: ReadonlySet<string> = new Set<string>([
  ...STATE_FIELDS.filter((field) => field !== "content" && field !== "deleted"),
  ...NOTE_NAMES.filter((note) => note !== "derivedFrom"),
]);

/** Meta as it is stored: empty sets and absent values take no room. */
export function metaValue(fields: MemoryFields, notes: RecordNotes): Encodable {
  const { content: _content, deleted: _deleted, ...plain } = fields;
  const meta: Record<string, unknown> = { ...plain, ...notes };
  for (const set of SET_FIELDS) if (fields[set].length === 0) meta[set] = undefined;
  return withSchema(meta) as Encodable;
}

export const recordHash = (headerBytes: Uint8Array): RecordHash =>
  bytesToHex(sha256(headerBytes)) as RecordHash;
export const partHash = (partBytes: Uint8Array): PartHash => bytesToHex(sha256(partBytes)) as PartHash;

/** The value of one state field as plain data, for comparing and hashing. */
export function fieldValue(fields: MemoryFields, field: StateField): Encodable {
  return (fields[field] ?? null) as Encodable;
}

/** Whether the record decides `field`: what its writer set, or everything when it is the first. */
export function decidesField(record: Pick<MemoryRecord, "parents" | "decides">, field: StateField): boolean {
  return record.parents.length === 0 || record.decides.includes(field);
}
