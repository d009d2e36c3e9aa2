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
import type { BroughtBack } from "./source.js";
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

/** Who wrote a record. What was not given is absent. */
export interface Author {
  /** Name of the agent. Absent for a person. */
  readonly agent?: string | undefined;
  /** The device it was written on. Always there. */
  readonly replica: ReplicaId;
  /** The run of the agent, as it named it. */
  readonly session?: string | undefined;
  /** The conversation in which it was written, as the agent named it. */
  readonly conversation?: string | undefined;
  /** From where it was written, such as `cli` or `mcp`. */
  readonly trigger?: string | undefined;
  /** What the device is called, where an answer says it. Never stored: `replica` names it. */
  readonly device?: string | undefined;
}

/** What records do to their memories. `name` is for records that no branch lists, such as a branch's name. */
export const RECORD_TYPES = [
  "create",
  "update",
  "enrich",
  "correct",
  "move",
  "tag",
  "forget",
  "restore",
  "resolve",
  "combine",
  "split",
  "merge",
  "undo",
  "rollback",
  "import",
  "name",
] as const;

/** What a record did to its memory. */
export type RecordType = (typeof RECORD_TYPES)[number];

/** Where a part of a record is. */
export interface PartRef {
  /** Names the part. */
  readonly hash: PartHash;
  /** The pack in which it is; an earlier one if the part did not change. */
  readonly pack: PackId;
}

/** Where a record can be found. In a branch document it is 48 bytes: hash ‖ pack. */
export interface Reference {
  /** The record. */
  readonly record: RecordHash;
  /** The pack in which its header is. */
  readonly pack: PackId;
}

/** A record without its parts: all that has to be read to know its place in the history. */
export interface RecordHeader {
  /** Binds the record to its space. */
  readonly space: SpaceId;
  /** The memory of which it is a version. */
  readonly memory: MemoryId;
  /** The tips whose content the writer had. */
  readonly parents: readonly RecordHash[];
  /** Milliseconds since 1970 by the writer's corrected clock. */
  readonly at: number;
  /** What it did. */
  readonly type: RecordType;
  /** The fields this record decides; a record without parents decides them all. */
  readonly decides: readonly StateField[];
  /** Who wrote it. */
  readonly author: Author;
  /** Whether the memory is forgotten from here on. */
  readonly deleted: boolean;
  /** The part with the text. */
  readonly content: PartRef;
  /** The part with all other fields and the notes. */
  readonly meta: PartRef;
  /** The version of this memory that its source names. It counts instead of the source in the meta part. */
  readonly broughtBack?: BroughtBack | undefined;
}

/**
 * How much of a record is gone for good: its text, or everything but its header. `pruned`: its text, because the rules of
 * retention do not keep it, and not because somebody wanted it to be gone.
 */
export type ErasedExtent = "content" | "whole" | "pruned";

/** A header with its parts read: one version of one memory. */
export interface MemoryRecord extends Omit<RecordHeader, "content" | "meta" | "deleted" | "broughtBack"> {
  /** Names the record on every device. */
  readonly hash: RecordHash;
  /** The pack it was read from. */
  readonly pack: PackId;
  /** Sets are sorted. */
  readonly fields: MemoryFields;
  /** What tells about this version and never conflicts. */
  readonly notes: RecordNotes;
  /** Where its content and everything else are, so that a later record can name them again. */
  readonly parts: { readonly content: PartRef; readonly meta: PartRef };
  /** Absent when nothing of it is. What is erased reads as if it were empty, and never takes part in a merge. */
  readonly erased?: ErasedExtent | undefined;
}

/** Of what a record says in all: its text and what stands beside it. */
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

/** Names a record by the bytes of its header, which name its parts. */
export const recordHash = (headerBytes: Uint8Array): RecordHash =>
  bytesToHex(sha256(headerBytes)) as RecordHash;
/** Names a part by its bytes, the random salt included. */
export const partHash = (partBytes: Uint8Array): PartHash => bytesToHex(sha256(partBytes)) as PartHash;

/** The value of one state field as plain data, for comparing and hashing. */
export function fieldValue(fields: MemoryFields, field: StateField): Encodable {
  return (fields[field] ?? null) as Encodable;
}

/** Whether the record decides `field`: what its writer set, or everything when it is the first. */
export function decidesField(record: Pick<MemoryRecord, "parents" | "decides">, field: StateField): boolean {
  return record.parents.length === 0 || record.decides.includes(field);
}
