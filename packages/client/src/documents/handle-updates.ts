/**
 * How documents that automerge-repo holds are changed.
 *
 * @module
 */
import type { DocHandle } from "@automerge/automerge-repo";
import type { ActorId } from "@cambium/core";
import * as A from "./automerge.js";
import { mergeInPieces } from "./in-pieces.js";
import { withoutMirror } from "./without-mirror.js";

/** Without its mirror. */
export function prepareUpdates(handle: DocHandle<unknown>): void {
  const update = handle.update.bind(handle);
  handle.update = (callback) => update((doc) => callback(withoutMirror(doc)));
}

/** Aside, so that a merge whose change cannot be made leaves the branch as it was. */
export function merged(doc: A.Doc<unknown>, other: A.Doc<unknown>, actor: ActorId): A.Doc<unknown> {
  const both = withoutMirror(A.clone(doc, { actor }));
  mergeInPieces(both, other);
  return both;
}
