/**
 * A new branch has mostly what its parent has: the relay is asked to copy that, instead of being sent it all again.
 *
 * @module
 */
import { type ChangeHash, type DocumentId, documentIdFromHex } from "@cambium/core";
import type { SpaceSyncOptions } from "./space-sync-options.js";

export interface Fork {
  readonly documentId: DocumentId;
  readonly from: DocumentId;
  readonly heads: readonly ChangeHash[];
}

/** @returns undefined when the relay has something of the branch, or nobody knows what it was forked from */
export function forkToAsk(
  document: DocumentId,
  { catalog, store }: Pick<SpaceSyncOptions, "catalog" | "store">,
): Fork | undefined {
  const { branches } = catalog.current;
  const entry = [...branches.values()].find(({ value }) => value.document === document)?.value;
  if (entry?.parent === undefined) return undefined;
  // Main has no entry: its document is known from the space.
  const from = branches.get(entry.parent)?.value.document ?? documentIdFromHex(entry.parent);
  const isNew = (store.row(document)?.receiptedHeads.length ?? 0) === 0;
  const heads = entry.forkHeads ?? [];
  return isNew && heads.length > 0 ? { documentId: document, from, heads } : undefined;
}
