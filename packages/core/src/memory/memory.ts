/**
 * A memory as it is shown: the value of its fields on one branch at one state, where they came from,
 * and what is undecided about it.
 *
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "../format/bytes.js";
import type { MemoryId, RecordHash } from "../format/ids.js";
import type {
  Author,
  MemoryFields,
  MemoryRecord,
  RecordNotes,
  RecordType,
  StateField,
} from "../format/record.js";
import type { FieldConflict } from "../merge/resolve-memory.js";

export interface Memory extends MemoryFields, RecordNotes {
  readonly id: MemoryId;
  /** 1 + the longest path of parents on this branch. Across devices, `record` identifies a version. */
  readonly version: number;
  /** How many records the memory has on this branch. */
  readonly versions: number;
  /** The newest of the records shown. */
  readonly record: RecordHash;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly type: RecordType;
  readonly by: Author;
  readonly conflicts: readonly FieldConflict[];
  /** Records that belong here and have not arrived, or do not read. Absent when none. */
  readonly incomplete?: readonly RecordHash[];
}

/** One record in the history of a memory. */
export interface Version extends MemoryFields, RecordNotes {
  readonly record: RecordHash;
  readonly version: number;
  /** The versions it was written after; several where it joins what was written side by side. */
  readonly parents: readonly RecordHash[];
  readonly type: RecordType;
  /** The fields its writer set; empty for a first version, which set them all. */
  readonly changed: readonly StateField[];
  /** SHA-256 of the content in UTF-8, in hexadecimal: equal for equal texts. */
  readonly contentHash: string;
  /** When it was written, in milliseconds since 1970; `occurredAt` says when it happened. */
  readonly at: number;
  readonly by: Author;
}

/** A memory that differs between two states. */
export interface ChangedMemory {
  readonly id: MemoryId;
  readonly before: Memory;
  readonly after: Memory;
  readonly fields: readonly StateField[];
}

/** What differs between two states of a space. */
export interface StateDiff {
  readonly created: readonly Memory[];
  readonly changed: readonly ChangedMemory[];
  readonly deleted: readonly Memory[];
  readonly conflicts: readonly MemoryConflicts[];
}

export interface MemoryConflicts {
  readonly id: MemoryId;
  readonly fields: readonly FieldConflict[];
}

export function versionOf(record: MemoryRecord, version: number): Version {
  const { hash, parents, type, decides, at, author, fields, notes } = record;
  const contentHash = bytesToHex(sha256(utf8ToBytes(fields.content)));
  return {
    ...{ ...fields, ...notes, record: hash, version, parents, type, changed: decides, contentHash },
    ...{ at, by: author },
  };
}
