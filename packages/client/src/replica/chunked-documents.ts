/**
 * Loading documents from their stored chunks, and saving what is new of them, for automerge-repo.
 *
 * In its own way of loading, automerge-repo builds the document from patches, one for each operation of its whole
 * history, and then compares it with an empty one to tell listeners, of which there are none yet: 10,000 memories
 * with 30,000 changes took seconds and 2 GB. Saving follows its rules: what is new is appended, and once that
 * outgrows the snapshot, or the snapshot is small, all of it is stored as one.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Repo, StorageKey } from "@automerge/automerge-repo";
import type { DocumentId } from "@cambium/core";
import type { ReplicaStore } from "../storage/store.js";
import * as A from "./automerge.js";
import { loadInPieces } from "./in-pieces.js";
import type { PendingRequests } from "./requested-changes.js";

/** There may be thousands, one for each change: they are counted as they come. */
interface StoredChunks {
  readonly keys: StorageKey[];
  snapshotBytes: number;
  appendedBytes: number;
}

/** Below it a snapshot costs no more than what would be appended to it. */
const SMALL_SNAPSHOT_BYTES = 1_024;

export class ChunkedDocuments {
  readonly #store: ReplicaStore;
  readonly #requests: PendingRequests;
  readonly #chunks = new Map<DocumentId, StoredChunks>();
  /** As of the last load or save in this session. */
  readonly #savedHeads = new Map<DocumentId, A.Heads>();

  constructor(store: ReplicaStore, requests: PendingRequests) {
    this.#store = store;
    this.#requests = requests;
  }

  /**
   * Makes a repo that has no storage load and save documents this way. With one it would, by a timer, also save what
   * comes by itself, and apart from its row. Automerge has to be loaded by the time it loads or saves.
   */
  serve(repo: Repo): void {
    const subsystem: Partial<Repo["storageSubsystem"]> = {
      loadDoc: async <T>(id: string) => (await this.load(id as DocumentId)) as A.Doc<T> | null,
      saveDoc: (id, doc) => this.save(id as string as DocumentId, doc),
    };
    repo.storageSubsystem = subsystem as NonNullable<Repo["storageSubsystem"]>;
  }

  /** @returns null when nothing of it is stored, as automerge-repo wants it */
  async load(id: DocumentId): Promise<A.Doc<unknown> | null> {
    const stored = [
      ...(await this.#store.loadRange([id, "snapshot"])),
      ...(await this.#store.loadRange([id, "incremental"])),
    ].flatMap(({ key, data }) => (data === undefined ? [] : [{ key, data }]));
    if (stored.length === 0) return null;
    const chunks = noChunks();
    for (const { key, data } of stored) addChunk(chunks, key, data.length);
    this.#chunks.set(id, chunks);
    const doc = loadInPieces(stored.map(({ data }) => data));
    this.#savedHeads.set(id, A.getHeads(doc));
    return doc;
  }

  /** Queued at once, so that it is one commit with what else this tick writes. Resolves when it is on disk. */
  save(id: DocumentId, doc: A.Doc<unknown>): Promise<void> {
    const heads = A.getHeads(doc);
    const saved = this.#savedHeads.get(id);
    if (saved !== undefined && saved.toSorted().join() === heads.toSorted().join()) return Promise.resolve();
    this.#savedHeads.set(id, heads);
    const chunks = this.#chunks.get(id) ?? noChunks();
    const isAppended =
      saved !== undefined && saved.length > 0 && A.hasHeads(doc, saved) && !isWorthCompacting(chunks);
    return this.#store.transact(() => {
      const saving = isAppended
        ? this.#append(id, chunks, A.saveSince(doc, saved))
        : this.#compact(id, chunks, doc);
      this.#requests.save(id, doc, this.#store); // not before: it may throw
      return saving;
    });
  }

  #append(id: DocumentId, chunks: StoredChunks, bytes: Uint8Array): Promise<void> {
    const key = [id, "incremental", hashOf(bytes)];
    addChunk(chunks, key, bytes.length);
    return this.#store.save(key, bytes);
  }

  #compact(id: DocumentId, { keys }: StoredChunks, doc: A.Doc<unknown>): Promise<void> {
    const bytes = A.save(doc);
    const key = [id, "snapshot", hashOf(A.getHeads(doc).join(""))];
    const chunks = noChunks();
    addChunk(chunks, key, bytes.length);
    this.#chunks.set(id, chunks);
    const saving = this.#store.save(key, bytes);
    for (const old of keys) if (old[2] !== key[2]) void this.#store.remove(old);
    return saving;
  }
}

const noChunks = (): StoredChunks => ({ keys: [], snapshotBytes: 0, appendedBytes: 0 });

function addChunk(chunks: StoredChunks, key: StorageKey, sizeBytes: number): void {
  chunks.keys.push(key);
  if (key[1] === "snapshot") chunks.snapshotBytes += sizeBytes;
  else chunks.appendedBytes += sizeBytes;
}

const isWorthCompacting = ({ snapshotBytes, appendedBytes }: StoredChunks): boolean =>
  snapshotBytes < SMALL_SNAPSHOT_BYTES || appendedBytes >= snapshotBytes;

const hashOf = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
