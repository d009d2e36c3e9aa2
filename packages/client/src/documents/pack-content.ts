/**
 * The entries of a pack as it is stored, without making an Automerge document of it for JavaScript: most of
 * the time and memory of that goes into objects that nobody looks at.
 *
 * @module
 */
import type { EpochKey, PackId, Sealed } from "@cambium/core";
import * as A from "./automerge.js";

export type Backend = ReturnType<typeof A.getBackend>;

export interface PackContent {
  /** By the hashes of records. */
  readonly headers: Readonly<Record<string, Sealed>>;
  /** By their own hashes. */
  readonly parts: Readonly<Record<string, Sealed>>;
}

/** All chunks of a document, one after the other, and the heads that they have to lead to. */
export interface StoredDocument {
  readonly bytes: Uint8Array;
  readonly heads: readonly string[];
}

/** What is stored of a pack, for opening its records elsewhere. */
export interface StoredPack {
  readonly pack: PackId;
  /** Of every epoch that is known. */
  readonly keys: readonly EpochKey[];
  readonly documents: readonly StoredDocument[];
  /** Parts that are in none of them any more. */
  readonly kept?: PackContent["parts"];
}

/** @returns undefined when the document is not whole */
export const readPack = (stored: StoredDocument): PackContent | undefined => readStored(stored, packContent);

export function packContent(backend: Backend): PackContent {
  const { headers, parts } = backend.materialize() as Partial<PackContent>;
  return { headers: headers ?? {}, parts: parts ?? {} };
}

/** One entry, asked of Automerge itself. @returns undefined when there is none, or something else in its place */
export function packEntry(
  doc: A.Doc<unknown> | undefined,
  map: keyof PackContent,
  hash: string,
): Sealed | undefined {
  const entry = doc && A.getBackend(doc).get(A.mapIds("pack").get(map) as string, hash);
  return entry instanceof Uint8Array ? entry : undefined;
}

/** @returns undefined when the document is not whole */
export function readStored<Result>(
  { bytes, heads }: StoredDocument,
  read: (backend: Backend, doc: A.Doc<unknown>) => Result,
): Result | undefined {
  const doc = A.init();
  try {
    const backend = A.getBackend(doc);
    backend.loadIncremental(bytes);
    return A.hasHeads(doc, heads) ? read(backend, doc) : undefined;
  } finally {
    A.free(doc);
  }
}
