/**
 * What may write the sentence about a change in place of the rules.
 *
 * @module
 */
import type { MemoryFields, RecordType, StateField } from "@cambium/core";

/** Writes sentences about changes, usually by asking a language model. What a replica uses is yours to implement. */
export interface Summarizer {
  /** Shown beside its sentences. If it changes, they are written again. */
  readonly model: string;
  /**
   * Returns one sentence, best in the language of the text.
   *
   * @throws {CambiumError} SUMMARIZER_UNREACHABLE (trying later may help), SUMMARIZER_REFUSED, ABORTED
   */
  summarize(change: ChangeToSummarize, options: { readonly signal?: AbortSignal }): Promise<string>;
}

/** Two versions of a memory, one after the other. */
export interface ChangeToSummarize {
  /** All fields of the earlier version. */
  readonly before: MemoryFields;
  /** All fields of the later version. */
  readonly after: MemoryFields;
  /** Those that differ; at least one. */
  readonly fields: readonly StateField[];
  /** What the writer said the change is, such as `update` or `correct`. */
  readonly type: RecordType;
  /** As the writer gave it. Absent if none was given. */
  readonly reason?: string | undefined;
}
