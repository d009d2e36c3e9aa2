/**
 * Whether a saved document loads again, and with the same heads: only then does it take the place of chunks.
 *
 * @module
 */
import { sameHeads } from "@cambium/core";
import * as A from "./automerge.js";
import { loadInPieces } from "./in-pieces.js";

/** A question to the thread that loads documents. */
export interface SavedDocument {
  readonly bytes: Uint8Array;
  readonly heads: A.Heads;
}

/** Loading so many changes takes a tenth of a second; more are loaded in a thread of their own, which takes as long to start. */
const CHANGES_AT_ONCE = 4_000;

/** Whether saving and loading the document is a matter of milliseconds. */
export const isSavedAtOnce = (doc: A.Doc<unknown>): boolean => A.stats(doc).numChanges <= CHANGES_AT_ONCE;

/** @returns undefined when what is saved does not load */
export function saveAtOnce(doc: A.Doc<unknown>): SavedDocument | undefined {
  const saved = { bytes: A.save(doc), heads: A.getHeads(doc) };
  return loadsAgain(saved) ? saved : undefined;
}

/** The same for a document of any size: a large one is loaded elsewhere. */
export async function saveChecked(doc: A.Doc<unknown>): Promise<SavedDocument | undefined> {
  if (isSavedAtOnce(doc)) return saveAtOnce(doc);
  const saved = { bytes: A.save(doc), heads: A.getHeads(doc) };
  return (await loadsElsewhere(saved)) ? saved : undefined;
}

export function loadsAgain({ bytes, heads }: SavedDocument): boolean {
  try {
    const doc = loadInPieces([bytes]);
    try {
      return sameHeads(A.getHeads(doc), heads);
    } finally {
      A.free(doc);
    }
  } catch {
    return false; // whatever Automerge says: it is not to be stored
  }
}

/** Where no thread can be had, it is loaded here. */
async function loadsElsewhere(saved: SavedDocument): Promise<boolean> {
  const { Worker } = await import("node:worker_threads");
  const worker = new Worker(new URL("./saved-document-worker.js", import.meta.url), { workerData: saved });
  const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
  worker.on("message", resolve);
  worker.on("error", () => resolve(undefined));
  worker.on("exit", () => resolve(undefined));
  const answer = await promise;
  await worker.terminate();
  return answer ?? loadsAgain(saved);
}
