/**
 * The entries of a pack as it is stored, without making an Automerge document of it for JavaScript: most of
 * the time of that goes into objects that nobody looks at.
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
export function readPack({ bytes, heads }: StoredDocument): PackContent | undefined {
  const doc = A.init();
  try {
    const backend = A.getBackend(doc);
    backend.loadIncremental(bytes);
    if (!A.hasHeads(doc, [...heads])) return undefined;
    const { headers, parts } = backend.materialize() as Partial<PackContent>;
    return { headers: headers ?? {}, parts: parts ?? {} };
  } finally {
    A.free(doc);
  }
}
