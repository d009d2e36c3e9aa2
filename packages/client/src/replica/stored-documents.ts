/**
 * Documents in the store that nobody has open: read in passing, or stored anew as one chunk.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Chunk } from "@automerge/automerge-repo";
import type { DocumentId } from "@cambium/core";
import type { ReplicaStore } from "../storage/store.js";
import * as A from "./automerge.js";
import { loadInPieces } from "./in-pieces.js";
import type { StoredDocument } from "./pack-content.js";
import type { PendingRequests } from "./requested-changes.js";

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
    return A.hasHeads(doc, [...row.localHeads]) ? read(doc) : undefined;
  } finally {
    A.free(doc);
  }
}

/**
 * Stores a document, of which everything is on disk already or comes with it, as one chunk: a full pack then
 * loads several times faster and in a tenth of the memory.
 */
export async function compactDocument(
  store: ReplicaStore,
  id: DocumentId,
  requests: PendingRequests,
  current: () => A.Doc<unknown>,
): Promise<void> {
  const chunks = await storedChunks(store, id);
  const doc = current(); // no older than the chunks it takes the place of
  // Named as automerge-repo names a snapshot, which may make the same one some day.
  const name = createHash("sha256").update(A.getHeads(doc).join("")).digest("hex");
  const bytes = A.save(doc);
  store.transact(() => {
    for (const { key } of chunks) if (key[2] !== name) void store.remove(key);
    void store.save([id, "snapshot", name], bytes);
    requests.save(id, doc, store);
  });
  await store.flushed();
}

async function storedChunks(store: ReplicaStore, id: DocumentId): Promise<readonly Chunk[]> {
  return [...(await store.loadRange([id, "snapshot"])), ...(await store.loadRange([id, "incremental"]))];
}
