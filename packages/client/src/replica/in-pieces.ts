/**
 * Giving Automerge many changes a few at a time. Given many at once it sets aside, for each, room in proportion to
 * the document: 258 changes to a document of 300,000 took 14 s and more than the 4 GB that WebAssembly has; in pieces
 * they take 1 s and no room worth speaking of.
 *
 * @module
 */
import * as A from "./automerge.js";

/** Fastest at 30,000 and at 300,000 changes, of 1, 4, 16, 64 and 128. */
const PIECE = 16;

/** @param chunks - as they are stored, snapshots first */
export function loadInPieces<Content>(chunks: readonly Uint8Array[]): A.Doc<Content> {
  const [first, ...others] = chunks;
  let doc = first === undefined ? A.init<Content>() : loadFirst<Content>(first);
  for (const chunk of others) doc = A.loadIncremental(doc, chunk);
  return doc;
}

/** What was set aside as damaged leaves changes without their dependencies; those wait, as they do in a sync. */
function loadFirst<Content>(chunk: Uint8Array): A.Doc<Content> {
  try {
    return A.load<Content>(chunk);
  } catch {
    return A.loadIncremental(A.init<Content>(), chunk);
  }
}

/** What `merge` does. @param doc - given up for the one returned */
export function mergeInPieces<Content>(doc: A.Doc<Content>, other: A.Doc<Content>): A.Doc<Content> {
  const added = A.getBackend(doc).getChangesAdded(A.getBackend(other));
  let merged = doc;
  for (let start = 0; start < added.length; start += PIECE) {
    [merged] = A.applyChanges(merged, added.slice(start, start + PIECE));
  }
  return merged;
}
