/**
 * Documents in the store that nobody has open: read in passing, or stored again as one chunk.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Chunk } from "@automerge/automerge-repo";
import { type DocumentId, sameHeads } from "@cambium/core";
import type { ReplicaStore } from "../storage/store.js";
import * as A from "./automerge.js";
import { loadInPieces } from "./in-pieces.js";
import type { StoredDocument } from "./pack-content.js";
import type { PendingRequests } from "./requested-changes.js";
import { isSavedAtOnce, saveAtOnce, saveChecked } from "./saved-document.js";

/** The bytes of a document as they are stored; undefined when it is not. */
export async function storedDocument(
  store: ReplicaStore,
  id: DocumentId,
): Promise<StoredDocument | undefined> {
  const row = store.row(id);
  if (row === undefined) return undefined;
  const chunks = (await storedChunks(store, id)).flatMap(({ data }) => (data === undefined ? [] : [data]));
  return { bytes: new Uint8Array(Buffer.concat(chunks)), heads: row.localHeads };
}

/**
 * Lets `read` see a stored document and gives its memory back at once.
 *
 * @returns undefined when it is not stored, or not whole
 */
export async function peekDocument<Result>(
  store: ReplicaStore,
  id: DocumentId,
  read: (doc: A.Doc<unknown>) => Result,
): Promise<Result | undefined> {
  const row = store.row(id);
  if (row === undefined) return undefined;
  const chunks = await storedChunks(store, id);
  await A.loadAutomerge();
  const doc = loadInPieces(chunks.flatMap(({ data }) => (data === undefined ? [] : [data])));
  try {
    return A.hasHeads(doc, row.localHeads) ? read(doc) : undefined;
  } finally {
    A.free(doc);
  }
}

/** `early`: something of it is not on disk yet. `unsound`: what Automerge saves of it does not load, and the chunks stay. */
export type CompactOutcome = "stored" | "early" | "unsound";

/**
 * Stores a document as one chunk: a full pack then loads several times faster and in a tenth of the memory. Of a large
 * one everything has to be on disk already.
 */
export async function compactDocument(
  store: ReplicaStore,
  id: DocumentId,
  requests: PendingRequests,
  current: () => A.Doc<unknown>,
): Promise<CompactOutcome> {
  const chunks = await storedChunks(store, id);
  const doc = current(); // no older than the chunks it takes the place of
  const isAtOnce = isSavedAtOnce(doc);
  if (!isAtOnce && !sameHeads(store.row(id)?.localHeads ?? [], A.getHeads(doc))) return "early";
  const saved = isAtOnce ? saveAtOnce(doc) : await saveChecked(doc);
  if (saved === undefined) return "unsound";
  // Meanwhile it may have been put in the place of one with another history.
  if (!isAtOnce && !A.hasHeads(current(), saved.heads)) return "early";
  // Named as automerge-repo names a snapshot, which may make the same one some day.
  const name = createHash("sha256").update(saved.heads.join("")).digest("hex");
  store.transact(() => {
    for (const { key } of chunks) if (key[2] !== name) void store.remove(key);
    void store.save([id, "snapshot", name], saved.bytes);
    if (isAtOnce) requests.save(id, doc, store);
  });
  await store.flushed();
  return "stored";
}

async function storedChunks(store: ReplicaStore, id: DocumentId): Promise<readonly Chunk[]> {
  return [...(await store.loadRange([id, "snapshot"])), ...(await store.loadRange([id, "incremental"]))];
}
