/**
 * Documents without their mirror. Beside each document Automerge keeps what it holds as JavaScript objects, and with
 * every change it makes the ones on the way to what changed anew, each a copy of all of its entries. Here nobody looks
 * at them: branches are read from the index, catalogs and counts of uses from their changes, and an entry of a pack
 * is asked of Automerge itself. So the objects stay away: a document is a handle, and an empty object that stands for it.
 *
 * @module
 */
import type { DocumentKind } from "@cambium/core";
import * as A from "./automerge.js";

/** Keeps Automerge from making the mirror from now on. Costs nothing the second time. */
export function withoutMirror<Content>(doc: A.Doc<Content>): A.Doc<Content> {
  const backend = A.getBackend(doc);
  if (Object.hasOwn(backend, "diff")) return doc;
  backend.applyAndReturnPatches = (_mirror, state) => {
    const value = backend.materialize("/", [], state) as never;
    backend.resetDiffCursor(); // it would gather patches from now on
    return { value, patches: [] };
  };
  backend.diff = () => []; // automerge-repo would tell listeners, of which there are none
  backend.resetDiffCursor();
  return doc;
}

/** @returns undefined of a document that has lost how it began */
export function kindOf(doc: A.Doc<unknown>): DocumentKind | undefined {
  return A.getBackend(doc).get("/", "kind") as DocumentKind | undefined;
}
