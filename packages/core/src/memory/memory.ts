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
  ErasedExtent,
  MemoryFields,
  MemoryRecord,
  RecordNotes,
  RecordType,
  StateField,
} from "../format/record.js";
import type { FieldConflict } from "../merge/resolve-memory.js";

/** A memory as a branch shows it. */
export interface Memory extends MemoryFields, RecordNotes {
  /** The same on every branch and every device. */
  readonly id: MemoryId;
  /** 1 + the longest path of parents on this branch. Across devices, `record` identifies a version. */
  readonly version: number;
  /** How many records the memory has on this branch. */
  readonly versions: number;
  /** Only in the answer to a write that the policy lets one propose: it shows nowhere until the owner accepts it. */
  readonly proposed?: true;
  /** The newest of the records shown. */
  readonly record: RecordHash;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What the record shown did, such as `create` or `correct`. */
  readonly type: RecordType;
  /** Who wrote the record shown. */
  readonly by: Author;
  /** Fields that two sides set differently and nobody has decided. Usually empty. */
  readonly conflicts: readonly FieldConflict[];
  /** Records that belong here and have not arrived, or do not read. Absent when none. */
  readonly incomplete?: readonly RecordHash[];
  /**
   * The text that belongs here was erased for good: its text, or everything that was said; or it was pruned, because the
   * settings of the space do not keep it. Absent when it is there.
   */
  readonly erased?: ErasedExtent | undefined;
  /** In the reply to a write: its text was erased once, and is kept again now. Otherwise absent. */
  readonly erasedBefore?: true;
  /**
   * In the reply to a write: other devices have erased it for good and destroy what comes to it, and this device keeps
   * its copy. What was written is on no other. Otherwise absent.
   */
  readonly staysHere?: true;
  /** In the reply to a revision: it sets what is there already, and no version was written. Otherwise absent. */
  readonly unchanged?: true;
}

/** One record in the history of a memory. */
export interface Version extends MemoryFields, RecordNotes {
  /** Names the version on every device. */
  readonly record: RecordHash;
  /** 1 + the longest path of parents. */
  readonly version: number;
  /** The versions it was written after; several where it joins what was written side by side. */
  readonly parents: readonly RecordHash[];
  /** What its writer did, such as `create` or `correct`. */
  readonly type: RecordType;
  /** The fields its writer set; empty for a first version, which set them all. */
  readonly changed: readonly StateField[];
  /** SHA-256 of the content in UTF-8, in hexadecimal: equal for equal texts. */
  readonly contentHash: string;
  /** When it was written, in milliseconds since 1970; `occurredAt` says when it happened. */
  readonly at: number;
  /** Who wrote it. */
  readonly by: Author;
  /** What of it was erased for good, or `pruned`: its text is not kept any more. Absent when nothing is gone. */
  readonly erased?: ErasedExtent | undefined;
}

/** A memory that differs between two states. */
export interface ChangedMemory {
  /** The memory. */
  readonly id: MemoryId;
  /** As the first of the two states shows it. */
  readonly before: Memory;
  /** As the second of the two states shows it. */
  readonly after: Memory;
  /** Those that differ; at least one. */
  readonly fields: readonly StateField[];
}

/** What differs between two states of a space. */
export interface StateDiff {
  /** Shown by the second state only. */
  readonly created: readonly Memory[];
  /** Shown by both, differently. */
  readonly changed: readonly ChangedMemory[];
  /** Shown by the first state only. */
  readonly deleted: readonly Memory[];
  /** Those that are open in the second state. */
  readonly conflicts: readonly MemoryConflicts[];
}

/** A memory with open conflicts. */
export interface MemoryConflicts {
  /** The memory. */
  readonly id: MemoryId;
  /** Each with all its values; at least one. */
  readonly fields: readonly FieldConflict[];
}

export function versionOf(record: MemoryRecord, version: number): Version {
  const { hash, parents, type, decides, at, author, fields, notes, erased } = record;
  const contentHash = bytesToHex(sha256(utf8ToBytes(fields.content)));
  return {
    ...{ ...fields, ...notes, record: hash, version, parents, type, changed: decides, contentHash },
    ...{ at, by: author, ...(erased && { erased }) },
  };
}
