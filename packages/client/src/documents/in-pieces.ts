/**
 * Giving Automerge many changes a few at a time. Given many at once it sets aside, for each, room in proportion to
 * the document: 258 changes to a document of 300,000 took 14 s and more than the 4 GB that WebAssembly has; in pieces
 * they take 1 s and no room worth speaking of.
 *
 * @module
 */
import * as A from "./automerge.js";
import { withoutMirror } from "./without-mirror.js";

/** Fastest at 30,000 and at 300,000 changes, of 1, 4, 16, 64 and 128. */
export const PIECE = 16;

/**
 * What was set aside as damaged leaves changes without their dependencies; those wait, as they do in a sync.
 *
 * @param chunks - as they are stored, snapshots first
 */
export function loadInPieces(chunks: readonly Uint8Array[]): A.Doc<unknown> {
  const doc = withoutMirror(A.init<unknown>());
  const backend = A.getBackend(doc);
  for (const chunk of chunks) backend.loadIncremental(chunk);
  return doc;
}

/** Puts into a document without a mirror what `merge` would. */
export function mergeInPieces(doc: A.Doc<unknown>, other: A.Doc<unknown>): void {
  applyInPieces(doc, A.getBackend(doc).getChangesAdded(A.getBackend(other)));
}

/** Puts changes into a document without a mirror. */
export function applyInPieces(doc: A.Doc<unknown>, changes: readonly Uint8Array[]): void {
  for (let start = 0; start < changes.length; start += PIECE) {
    A.getBackend(doc).applyChanges(changes.slice(start, start + PIECE));
  }
}
