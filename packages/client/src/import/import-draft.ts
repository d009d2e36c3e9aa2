/**
 * What a reader of foreign sources hands on: drafts of memories, and what it had to leave out.
 * Readers are pure; the writer of the drafts decides which of them are new.
 *
 * @module
 */

import type {
  Author,
  ErasedExtent,
  MemoryFields,
  MemoryId,
  RecordHash,
  RecordNotes,
  RecordType,
  Source,
  StateField,
} from "@cambium/core";

/** A connection of a draft to another draft (by its source key) or to a URL. */
export interface ImportLink {
  readonly rel: string;
  readonly to: string;
}

/** Where a draft of a file or a graph was found. */
interface ImportOrigin {
  readonly kind: "import";
  readonly format: "mcp-memory" | "markdown";
  readonly name: string;
  readonly file?: string;
  readonly heading?: string;
  readonly key?: string;
  /** Where in the whole, before what comes later. */
  readonly position?: number;
}

/**
 * One thing to remember, found in a foreign source. `sourceKey` is stable: the same thing in the same
 * source gives the same key, so importing twice adds nothing.
 */
export interface ImportDraft {
  readonly sourceKey: string;
  readonly content: string;
  readonly kind?: string;
  readonly area?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
  /** Other names of what it is about. */
  readonly aliases?: readonly string[];
  /** Milliseconds since 1970. */
  readonly occurredAt?: number;
  /** In which time it is true, in milliseconds since 1970. */
  readonly validFrom?: number;
  readonly validUntil?: number;
  readonly links?: readonly ImportLink[];
  readonly source: ImportOrigin | Source;
}

/** One version of a memory, as an export has it. */
export interface ExportedVersion {
  /** Names it in the export. Where it is imported it has another name: that binds it to its space. */
  readonly record: RecordHash;
  /** Earlier ones of the same memory. */
  readonly parents: readonly RecordHash[];
  readonly at: number;
  readonly type: RecordType;
  readonly by: Author;
  readonly decides: readonly StateField[];
  readonly fields: MemoryFields;
  readonly notes: RecordNotes;
  /** How much of it was gone where it was exported. Absent when nothing was. */
  readonly erased?: ErasedExtent;
}

/** A memory with its versions, parents first; at least one of those that none follows is whole. */
export interface ExportedMemory {
  readonly id: MemoryId;
  readonly versions: readonly ExportedVersion[];
  readonly where: string;
}

/** A memory as a file of an export has it, perhaps edited since. */
export interface EditedMemory {
  readonly id: MemoryId;
  /** The version that was exported, or those that stood side by side. At least one. */
  readonly versions: readonly RecordHash[];
  /** What the file says of it. */
  readonly fields: Readonly<Record<string, unknown>> & { readonly content: string };
  readonly where: string;
}

/** Something of the source that is in no draft, said so that nothing is lost in silence. */
export interface SkippedPart {
  readonly where: string;
  readonly reason: string;
}

/** All drafts of a source, each with a key of its own, in the order of the source. */
export interface ImportReading {
  readonly drafts: readonly ImportDraft[];
  readonly skipped: readonly SkippedPart[];
  /** Memories that an export has with their versions. */
  readonly exported?: readonly ExportedMemory[];
  /** The folder that its sources name, where it is one of this device. */
  readonly folder?: { readonly name: string; readonly path: string };
  /** Memories that an export has as files. */
  readonly edited?: readonly EditedMemory[];
}

/**
 * Largest content of one draft, in UTF-8 bytes: a record holds 1 MiB, and its header, its other fields
 * and the encoding need some of that.
 */
const MAX_DRAFT_BYTES = 1_000_000;

/** Part of a source key; nested lists keep a path and its neighbours apart. */
type SourceKeyPart = string | number | readonly SourceKeyPart[];

/** Returns one text for a list of parts; different lists give different texts, whatever the parts contain. */
export const toSourceKey = (...parts: readonly SourceKeyPart[]): string => JSON.stringify(parts);

/** Says why a text cannot be the content of a memory, or nothing if it can. */
export function contentProblem(content: string): string | undefined {
  if (content.trim() === "") return "It is empty.";
  if (!content.isWellFormed()) return "It contains half of a UTF-16 pair, which is no character.";
  if (new TextEncoder().encode(content).length > MAX_DRAFT_BYTES) {
    return `It is longer than ${MAX_DRAFT_BYTES} bytes, the most one memory can hold.`;
  }
  return undefined;
}

/** Returns what is written of a draft, with the ids of the memories that its links lead to. */
export function draftFields(
  { links, sourceKey: _key, ...fields }: ImportDraft,
  idOf: (sourceKeyOrUrl: string) => string,
): Record<string, unknown> {
  return {
    ...fields,
    links: links?.map(({ rel, to }) => ({ rel, to: idOf(to) })),
  };
}
