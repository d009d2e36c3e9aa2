/**
 * What automerge-repo's handles do not do by themselves.
 *
 * @module
 */
import type { DocHandle } from "@automerge/automerge-repo";
import * as A from "./automerge.js";

/**
 * automerge-repo tells its network about a change only when it has patches; a merge that had nothing
 * left to resolve has none, and would stay at home.
 */
export function announce(handle: DocHandle<unknown>): void {
  const doc = handle.doc() as A.Doc<unknown>;
  handle.emit("change", {
    handle,
    doc,
    patches: [],
    patchInfo: { before: doc, after: doc, source: "change" },
  } as never);
}

/** Longer than automerge-repo holds on to a document while it waits for a peer's sync state. */
const FREE_AFTER_MS = 5_000;

/** Gives back a document's memory, which the garbage collector does not see: 400 left behind held 3.4 GB. */
export function freeSoon(doc: A.Doc<unknown>): void {
  setTimeout(() => A.free(doc), FREE_AFTER_MS).unref();
}
