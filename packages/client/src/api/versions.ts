/**
 * The past of single memories: versions, what differs between them, whose each word is, and how things evolved.
 *
 * @module
 */
import type {
  Blame,
  ChangeNote,
  EvolutionStep,
  JsonPatch,
  LabelValues,
  MemoryId,
  RecordHash,
  Source,
  StateField,
  Superseding,
  Version,
  WordChange,
} from "@cambium/core";
import { abortSignal, either, naming, number } from "../arguments/shapes.js";
import { AT_REF, atRef, id, type SignaturesOf, taking, values } from "../arguments/signature.js";
import type { AtRef, OnBranch } from "./memories.js";

export type {
  Blame,
  ChangeNote,
  EvolutionStep,
  JsonPatch,
  SupersededThing,
  WordChange,
} from "@cambium/core";
export type { ChangeToSummarize, Summarizer } from "./summarizer.js";

/** A version as `history` shows it: with a sentence about what it changed. */
export interface HistoryVersion extends Version {
  /** What this version changed, compared with the one before it. */
  readonly change: ChangeNote;
}

/** Which two versions to compare. */
export interface CompareOptions extends AtRef {
  /** A version's number, or the beginning of its record. Default: the version before `to`. */
  readonly from?: number | string | undefined;
  /** Default: the version shown. */
  readonly to?: number | string | undefined;
}

/** What differs between two versions of a memory. */
export interface VersionComparison extends ChangeNote {
  /** In full, also where a prefix was given. */
  readonly id: MemoryId;
  /** The earlier version. */
  readonly from: Version;
  /** The later version. */
  readonly to: Version;
  /** The fields that differ. Empty if the two say the same. */
  readonly fields: readonly StateField[];
  /** RFC 6902; applied to the fields of `from` it gives those of `to`. */
  readonly patch: JsonPatch;
  /** Of the content; what stayed is in it, too. */
  readonly words: readonly WordChange[];
}

/** What was said before it was corrected, and the correction. */
export interface Correction extends ChangeNote {
  /** In full, also where a prefix was given. */
  readonly id: MemoryId;
  /** The version that was corrected. */
  readonly before: Version;
  /** The version of type `correct` that replaced it. */
  readonly correction: Version;
  /** What the content lost and gained; what stayed is in it, too. */
  readonly words: readonly WordChange[];
  /** As the writer gave it. Absent if none was given. */
  readonly reason?: string;
}

/** A memory that took the place of another. */
export interface SupersededBy {
  /** Id of the memory that took the place. */
  readonly memory: MemoryId;
  /** The version that says so first. */
  readonly record: RecordHash;
  /** Whether a link says so, several memories became one, or one became several. */
  readonly how: Superseding["how"];
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Who wrote that version. */
  readonly by: Version["by"];
  /** As the writer gave it. Absent if none was given. */
  readonly reason?: string;
  /** What it says now. */
  readonly content: string;
  /** Whether it was forgotten since. */
  readonly deleted: boolean;
}

/** What an evolution is about: words to look for, one memory, or all of a category. */
export type EvolutionTopic = string | { readonly id: string } | { readonly category: string };

/** Which steps of an evolution to return. */
export interface EvolutionOptions extends OnBranch {
  /** Only what was written from then on: milliseconds since 1970, or a date; a day counts from its beginning. */
  readonly from?: number | string | undefined;
  /** As `from`, until then; a day counts to its end. */
  readonly to?: number | string | undefined;
  /** Memories that a query or category finds at most, the best first. Default: 20. What they superseded comes on top. */
  readonly limit?: number | undefined;
}

/** A memory that an evolution is about. */
export interface EvolvedMemory {
  /** Names it in `Evolution.steps`. */
  readonly id: MemoryId;
  /** As it is now, forgotten or not. */
  readonly content: string;
  /** Whether it is forgotten now. */
  readonly deleted: boolean;
  /** How many versions it has in all, whatever the options left out. */
  readonly versions: number;
  /** Whether the topic names or finds it; else it superseded, or was superseded by, one of those. */
  readonly isAsked: boolean;
  /** Memories that took its place, as far as they are among these. */
  readonly supersededBy: readonly MemoryId[];
}

/** How the knowledge about a topic changed on a branch. */
export interface Evolution {
  /** Name of the branch that was read. */
  readonly branch: string;
  /** Those that the topic names or finds, and those that they superseded or were superseded by. */
  readonly memories: readonly EvolvedMemory[];
  /** In the order in which they were written. */
  readonly steps: readonly EvolutionStep[];
  /** Memories that were found and left out for the limit. Absent when none. */
  readonly more?: number;
}

/** What can be asked of the versions of memories, at any ref. */
export interface VersionReading {
  /**
   * Returns the text of a version, or what is left of it: whole; read again where it once came from, if `sources` allows
   * that and it is the very text; or else its summary. `how` says which.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, RECORD_NOT_FOUND, or BAD_INPUT where several versions match
   */
  text(id: string, version: number | string, options?: TextOptions): Promise<VersionText>;
  /**
   * Returns one version, by its number or a unique beginning of its record.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, RECORD_NOT_FOUND, or BAD_INPUT where several versions match
   */
  version(id: string, version: number | string, options?: AtRef): Promise<HistoryVersion>;
  /**
   * Compares two versions of a memory, field by field and word by word.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, RECORD_NOT_FOUND
   */
  compare(id: string, options?: CompareOptions): Promise<VersionComparison>;
  /**
   * Returns which version, and whose, last set each field and each phrase of the content.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND
   */
  blame(id: string, options?: AtRef): Promise<Blame>;
  /**
   * Returns the memories that took the place of this one, oldest first.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND
   */
  supersededBy(id: string, options?: AtRef): Promise<readonly SupersededBy[]>;
  /**
   * Returns the newest correction of a memory, or undefined if it was never corrected.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND
   */
  beforeCorrection(id: string, options?: AtRef): Promise<Correction | undefined>;
}

/** Reads a text where it once came from. */
export interface SourceFetcher {
  /**
   * Returns a text in which the wanted one may stand, whole or as a part of it; undefined where there is none. What it
   * throws counts as that, and is told as the problem.
   */
  fetch(source: Source, options?: { readonly signal?: AbortSignal | undefined }): Promise<string | undefined>;
}

/** How far to go for a text that is not kept any more. */
export interface TextOptions extends AtRef {
  /**
   * Kinds of sources that may be asked: `file` reads files of this device, `url` asks the web, others are read by
   * `sourceFetchers`. Default: none.
   */
  readonly sources?: LabelValues | undefined;
  /** Ends the asking. */
  readonly signal?: AbortSignal | undefined;
}

/** The text of a version, or what is left of it. */
export interface VersionText {
  /**
   * `whole`: as it was kept. `difference`: rebuilt from a later version, and the very text. `source`: read again, and the
   * very text. `summary`: only that. `none`: nothing is left.
   */
  readonly how: "whole" | "difference" | "source" | "summary" | "none";
  /** The text, or the summary. Empty where nothing is left. */
  readonly text: string;
  /** The version. */
  readonly record: RecordHash;
  /** It was erased for good: nothing brings it back. Absent where retention let it go. */
  readonly isErased?: true;
  /** Why it could not be read again, where that was allowed. */
  readonly problem?: string;
}

export default {
  text: [
    id,
    ["version", either({ ofText: naming, ofNumber: number })],
    taking({ ...AT_REF, sources: values, signal: abortSignal }),
  ],
  version: [id, ["version", either({ ofText: naming, ofNumber: number })], atRef],
  compare: [
    id,
    taking({
      ...AT_REF,
      from: either({ ofText: naming, ofNumber: number }),
      to: either({ ofText: naming, ofNumber: number }),
    }),
  ],
  blame: [id, atRef],
  supersededBy: [id, atRef],
  beforeCorrection: [id, atRef],
} satisfies SignaturesOf<VersionReading>;
