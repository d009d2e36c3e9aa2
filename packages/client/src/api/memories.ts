/**
 * What is written and read: memories, lists and recalls.
 *
 * @module
 */
import type { LabelSelection, LabelValues, Memory, MemoryId, MemoryInput, StateField } from "@cambium/core";

/** The fields of a memory to be written: dates in milliseconds since 1970, or as ISO 8601 text. */
export interface RememberInput extends MemoryInput {}

/** Fields to set; `null` takes a value away. */
export type ReviseInput = {
  readonly [Field in keyof Omit<RememberInput, "content">]?: RememberInput[Field] | null;
} & { readonly content?: string; readonly type?: "update" | "enrich" | "correct" };

/** Which branch a call is about. */
export interface OnBranch {
  /** Branch name or id. Default: `main`. */
  readonly branch?: string | undefined;
}

/** For calls that together do one thing. */
export interface PartOfOperation {
  /**
   * What the call is a part of, such as `forget:0f3a5b7c9d1e2f30`: forget, restore, decay or consolidate, and 16
   * hexadecimal digits of your choice. One undo reverts all calls with the same, and a checkpoint comes before them.
   */
  readonly operation?: string | undefined;
}

/** What is forgotten besides a memory, and why. */
export interface ForgetOptions extends OnBranch, PartOfOperation {
  /** Kept in the history of each memory. */
  readonly reason?: string | undefined;
  /** Ids of other memories, or beginnings of them, to be forgotten in the same change. Default: none. */
  readonly also?: readonly string[] | undefined;
}

/** Which state of which branch a call reads. */
export interface AtRef extends OnBranch {
  /** A ref, such as `work-persona@2026-08-01` or `main@"6 months ago"`; a bare date or `@date` means the branch at that date. */
  readonly at?: string | undefined;
}

/**
 * Which memories of a state: by their labels, and by time. A label takes one value or several, any of which will do;
 * of tags, a memory needs all. A value that no memory there has is read as the nearest one that is used, if only one is
 * near; the answer says so.
 */
export interface MemoryFilter extends LabelSelection {
  /** Written, in the version that is shown, on any of these devices: ids of replicas. */
  readonly device?: LabelValues | undefined;
  /**
   * Written, in the version that is shown, in any of these conversations or sessions, as its author or its source names
   * them.
   */
  readonly conversation?: LabelValues | undefined;
  /** Only what was true at that date, by `validFrom` and `validUntil`. */
  readonly validAt?: number | string | undefined;
  /** Only what happened (or, where that is not said, was written) from then on; a day counts from its beginning. */
  readonly since?: number | string | undefined;
  /** As `since`, until then; a day counts to its end. */
  readonly until?: number | string | undefined;
}

/** Which memories to list. All given conditions have to match. */
export interface ListOptions extends AtRef, MemoryFilter {
  /** Default: `changed`. */
  readonly order?: ListOrder | undefined;
  /** Also the forgotten ones. */
  readonly deleted?: boolean | undefined;
  /** Only the forgotten ones. */
  readonly forgotten?: boolean | undefined;
  /** 1 to 10,000. Default: 100. */
  readonly limit?: number | undefined;
  /** `MemoryPage.cursor` of the page before. Default: the first page. */
  readonly cursor?: string | undefined;
}

/**
 * In which order memories are listed. `changed`: last written first. `created`: newest first, by when they were first
 * written. `name`: by the alphabet, from the beginning of their texts. `strength`: strongest first; see
 * `SpaceReader.strength`.
 */
export type ListOrder = "changed" | "created" | "name" | "strength";

/** Which memories to search, and how many to return. All given conditions have to match. */
export interface RecallOptions extends AtRef, MemoryFilter {
  /** 1 to 10,000. Default: 10. */
  readonly limit?: number | undefined;
  /** `false` leaves recency, importance and use out of the order. */
  readonly priors?: boolean | undefined;
  /** `false` reads no word as another one, where no memory says it as it is spelt. */
  readonly spelling?: boolean | undefined;
}

/** A memory that a recall found, and why. */
export interface RecalledMemory extends Memory {
  /** Comparable within one answer only. */
  readonly score: number;
  /** The part of the content that says most of the query, on one line. */
  readonly snippet: string;
  /** What matched, as [start, end) in UTF-16 units of the snippet. */
  readonly highlights: readonly (readonly [number, number])[];
  /** Words of the query, as they were read, that the memory says; empty when its surroundings or its meaning found it. */
  readonly matched: readonly string[];
  /** Memories that say the same and are therefore left out. Absent when none. */
  readonly alike?: readonly MemoryId[];
}

/** How sure it is that what was recalled answers the query. */
export type Certainty = "strong" | "weak" | "none";

/** The memories that answer, best first, and what is to be known of the answer as a whole. */
export interface Recalled extends ReadonlyArray<RecalledMemory> {
  /**
   * `strong`: the best one says most of what the query asks for; without words to search for, the filters chose them.
   * `weak`: something of the query was found. `none`: nothing was.
   */
  readonly certainty: Certainty;
  /** Sentences on what to try next, and on words and filters that were read otherwise than they were written. Empty when none. */
  readonly advice: readonly string[];
}

/** Some memories of a list. */
export interface MemoryPage {
  /** In the order of the list, newest first. */
  readonly memories: readonly Memory[];
  /** Sentences on filters that were read otherwise than they were written, or that nothing can pass. Absent when none. */
  readonly advice?: readonly string[];
  /** How many memories are left out because no record of them is here or readable. Absent when none. */
  readonly unreadable?: number;
  /** Gets the next page. Absent on the last one. */
  readonly cursor?: string;
}

/** How to resolve a conflict: keep the value of one record, or set another one. */
export interface ResolveInput {
  /** Default: all fields in conflict. */
  readonly field?: StateField | undefined;
  /** The record whose value stays (its hash or a unique beginning of it). */
  readonly keep?: string | undefined;
  /** Or a value of one's own. */
  readonly content?: string | undefined;
  /** A value for any other field, in the form in which it is written. `null` empties the field. */
  readonly value?: unknown;
  /** Every other version, so that nothing is discarded unseen. */
  readonly discard: readonly string[];
  /** Kept with the record that is written, and shown in the history. */
  readonly reason?: string | undefined;
}
