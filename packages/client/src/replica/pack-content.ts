/**
 * The entries of a pack as it is stored, without making an Automerge document of it for JavaScript: most of
 * the time and memory of that goes into objects that nobody looks at.
 *
 * @module
 */
import type { PackId, PartHash, RecordHash, Sealed } from "@cambium/core";
import * as A from "./automerge.js";

export interface PackContent {
  readonly headers: Record<RecordHash, Sealed>;
  readonly parts: Record<PartHash, Sealed>;
}

/** All chunks of a document, one after the other, and the heads that they have to lead to. */
export interface StoredDocument {
  readonly bytes: Uint8Array;
  readonly heads: readonly string[];
}

/** What is stored of a pack, for whoever opens its records elsewhere. */
export interface StoredPack {
  readonly pack: PackId;
  readonly key: Uint8Array;
  readonly documents: readonly StoredDocument[];
}

/** @returns undefined when the document is not whole */
export const readPack = (stored: StoredDocument): PackContent | undefined =>
  readStored(stored, (backend) => {
    const { headers, parts } = backend.materialize() as Partial<PackContent>;
    return { headers: headers ?? {}, parts: parts ?? {} };
  });

/** @returns undefined when the document is not whole */
export function readStored<Result>(
  { bytes, heads }: StoredDocument,
  read: (backend: ReturnType<typeof A.getBackend>, doc: A.Doc<unknown>) => Result,
): Result | undefined {
  const doc = A.init();
  try {
    const backend = A.getBackend(doc);
    backend.loadIncremental(bytes);
    return A.hasHeads(doc, [...heads]) ? read(backend, doc) : undefined;
  } finally {
    A.free(doc);
  }
}
