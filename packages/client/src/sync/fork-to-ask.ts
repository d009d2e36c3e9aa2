/**
 * A new branch has mostly what its parent has: the relay is asked to copy that, instead of being sent it all again.
 *
 * @module
 */
import type { ChangeHash, DocumentId } from "@cambium/core";
import type { SpaceSyncOptions } from "./space-sync-options.js";

interface Fork {
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
  const parent = entry?.parent === undefined ? undefined : branches.get(entry.parent)?.value;
  const isNew = (store.row(document)?.receiptedHeads.length ?? 0) === 0;
  const heads = entry?.forkHeads ?? [];
  if (!isNew || parent === undefined || heads.length === 0) return undefined;
  return { documentId: document, from: parent.document, heads };
}
