/**
 * What is written and read: memories, lists and recalls.
 *
 * @module
 */
import type { Memory, MemoryId, MemoryInput, StateField } from "@cambium/core";

/** The fields of a memory to be written: dates in milliseconds since 1970, or as ISO 8601 text. */
export interface RememberInput extends MemoryInput {}

/** Fields to set; `null` takes a value away. */
export type ReviseInput = {
  readonly [Field in Exclude<keyof RememberInput, "content">]?: RememberInput[Field] | null;
} & { readonly content?: string; readonly type?: "update" | "enrich" | "correct" };

export interface OnBranch {
  /** Branch name or id. Default: `main`. */
  readonly branch?: string | undefined;
}

export interface AtRef extends OnBranch {
  /** A ref, such as `work-persona@2026-08-01` or `main@"6 months ago"`; a bare date or `@date` means the branch at that date. */
  readonly at?: string | undefined;
}

export interface ListOptions extends AtRef {
  readonly category?: string | undefined;
  readonly tag?: string | undefined;
  readonly kind?: string | undefined;
  readonly area?: string | undefined;
  /** Also the forgotten ones. */
  readonly deleted?: boolean | undefined;
  /** 1 to 10,000. Default: 100. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface RecallOptions extends AtRef {
  /** Only what was true at that date: neither over by then, nor yet to begin. */
  readonly validAt?: number | string | undefined;
  readonly category?: string | undefined;
  readonly tag?: string | undefined;
  /** All of them. */
  readonly tags?: readonly string[] | undefined;
  readonly kind?: string | undefined;
  readonly area?: string | undefined;
  /** Who wrote the version that is shown. */
  readonly agent?: string | undefined;
  /** Only what happened (or, where that is not said, was written) from then on; a day counts from its beginning. */
  readonly since?: number | string | undefined;
  /** Likewise, until then; a day counts to its end. */
  readonly until?: number | string | undefined;
  /** 1 to 10,000. Default: 10. */
  readonly limit?: number | undefined;
  /** `false` leaves recency, importance and use out of the order. */
  readonly priors?: boolean | undefined;
}

export interface RecalledMemory extends Memory {
  /** Comparable within one answer only. */
  readonly score: number;
  /** The part of the content that says most of the query, on one line. */
  readonly snippet: string;
  /** What matched, as [start, end) in UTF-16 units of the snippet. */
  readonly highlights: readonly (readonly [number, number])[];
  /** Words of the query that the memory says; empty when its surroundings or its meaning found it. */
  readonly matched: readonly string[];
  /** Memories that say the same and are therefore left out. Absent when none. */
  readonly alike?: readonly MemoryId[];
}

export interface MemoryPage {
  readonly memories: readonly Memory[];
  /** Memories of which no record is here or readable, so that no filter can judge them. Absent when none. */
  readonly unreadable?: number;
  readonly cursor?: string;
}

export interface ResolveInput {
  /** Default: all fields in conflict. */
  readonly field?: StateField | undefined;
  /** The record whose value stays (its hash or a unique beginning of it). */
  readonly keep?: string | undefined;
  /** Or a value of one's own. */
  readonly content?: string | undefined;
  readonly value?: unknown;
  /** Every other version, so that nothing is discarded unseen. */
  readonly discard: readonly string[];
  readonly reason?: string | undefined;
}
