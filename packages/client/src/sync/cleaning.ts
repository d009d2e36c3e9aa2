/**
 * Removing what counts for nothing: what is held beside the documents, and what an earlier version took into them.
 * Nothing that counts is touched, and nothing that it builds on.
 *
 * @module
 */
import { documentIdFromHex } from "@cambium/core";
import * as A from "../documents/automerge.js";
import { loadInPieces } from "../documents/in-pieces.js";
import type { Admission } from "./admission.js";
import type { SpaceSyncOptions } from "./space-sync-options.js";

/** @returns how many changes were removed */
export async function cleanKeptOut(
  { documents, catalog, directory, held }: SpaceSyncOptions,
  admission: Admission,
): Promise<number> {
  await held.read();
  await catalog.load();
  await documents.flush();
  // Of a branch that the catalog does not know, nobody can tell what it began with.
  const known = [...catalog.current.branches.values()].map(({ value }) => value.document);
  for (const id of [catalog.document, documentIdFromHex(directory.main), ...known]) {
    if (documents.isInDoubt(id)) continue;
    await documents.open(id);
    const doc = documents.loaded(id);
    if (doc === undefined) continue;
    const sorted = admission.sortAll(id, A.getAllChanges(doc));
    if (sorted.held.length === 0) continue;
    documents.replace(id, loadInPieces([Buffer.concat(sorted.admitted.map(({ bytes }) => bytes))]));
    admission.hold(id, sorted.held);
  }
  const count = await held.clean();
  await documents.flush();
  return count;
}
