/**
 * What may write the sentence about a change in place of the rules.
 *
 * @module
 */
import type { MemoryFields, RecordType, StateField } from "@cambium/core";

export interface Summarizer {
  /** Shown beside its sentences; another name, and they are written anew. */
  readonly model: string;
  /**
   * Returns one sentence, best in the language of the text.
   *
   * @throws {CambiumError} SUMMARIZER_UNREACHABLE (trying later may help), SUMMARIZER_REFUSED, ABORTED
   */
  summarize(change: ChangeToSummarize, options: { readonly signal?: AbortSignal }): Promise<string>;
}

export interface ChangeToSummarize {
  readonly before: MemoryFields;
  readonly after: MemoryFields;
  /** Those that differ; at least one. */
  readonly fields: readonly StateField[];
  readonly type: RecordType;
  readonly reason?: string | undefined;
}
