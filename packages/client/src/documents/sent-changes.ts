/**
 * Changes of a document as they go to the relay.
 *
 * @module
 */
import type { ChangeHash } from "@cambium/core";
import * as A from "./automerge.js";

/** One change, and what it follows. */
export interface SentChange {
  readonly hash: ChangeHash;
  readonly deps: readonly ChangeHash[];
  readonly bytes: Uint8Array;
}

/**
 * What a document has up to some heads and not up to others, each change after those that it follows.
 *
 * @param have - those that the document does not have are passed over
 */
export function changesBetween(
  doc: A.Doc<unknown>,
  have: readonly string[],
  upTo: readonly string[],
): readonly SentChange[] {
  const backend = A.getBackend(doc);
  const known = have.filter((hash) => backend.getChangeMetaByHash(hash) !== null);
  const later = new Set(backend.getChangesMeta([...upTo]).map(({ hash }) => hash));
  const hashes = backend.getChangesMeta(known);
  const chunks = backend.getChanges(known);
  return hashes.flatMap(({ hash, deps }, index) => {
    const bytes = chunks[index];
    if (bytes === undefined || later.has(hash)) return [];
    return [{ hash: hash as ChangeHash, deps: deps as ChangeHash[], bytes }];
  });
}
