/**
 * Taking changes back.
 *
 * @module
 */
import type { ChangeHash, Memory, MemoryId, StateField } from "@cambium/core";

export interface UndoResult {
  readonly change: ChangeHash;
  readonly of: ChangeHash;
  readonly memories: readonly Memory[];
  /** Fields written again since; they were left as they are. */
  readonly kept: readonly { readonly id: MemoryId; readonly fields: readonly StateField[] }[];
}
