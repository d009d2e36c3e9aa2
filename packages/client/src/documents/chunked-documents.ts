/**
 * Loading documents from their stored chunks, and saving what is new of them, for automerge-repo.
 *
 * In its own way of loading, automerge-repo builds the document from patches, one for each operation of its whole
 * history, and then compares it with an empty one to tell listeners, of which there are none yet: 10,000 memories
 * with 30,000 changes took seconds and 2 GB. Saving follows its rules: what is new is appended, and once that
 * outgrows the snapshot, all of it is stored as one. That takes the place of the chunks only after it was loaded
 * again: Automerge saves documents that it cannot load.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Repo, StorageKey } from "@automerge/automerge-repo";
import { type DocumentId, sameHeads } from "@cambium/core";
import type { ReplicaStore } from "../storage/store.js";
import * as A from "./automerge.js";
import { loadInPieces } from "./in-pieces.js";
import type { PendingRequests } from "./requested-changes.js";
import { loadsAgain, type SavedDocument, saveChecked } from "./saved-document.js";

/** There may be thousands, one for each change: they are counted as they come. */
interface StoredChunks {
  readonly keys: StorageKey[];
  snapshotBytes: number;
  appendedBytes: number;
}

/** So much is appended to the smallest document before it is stored as one. */
const MIN_APPENDED_BYTES = 16_384;

export class ChunkedDocuments {
  readonly #store: ReplicaStore;
  readonly #requests: PendingRequests;
  readonly #chunks = new Map<DocumentId, StoredChunks>();
  /** As of the last load or save in this session. */
  readonly #savedHeads = new Map<DocumentId, A.Heads>();
  readonly #folding = new Map<DocumentId, Promise<void>>();
  /** What Automerge saves of them does not load: they stay in chunks. */
  readonly #unsound = new Set<DocumentId>();
  #repo: Repo | undefined;

  constructor(store: ReplicaStore, requests: PendingRequests) {
    this.#store = store;
    this.#requests = requests;
  }

  /**
   * Makes a repo that has no storage load and save documents this way. With one it would, by a timer, also save what
   * comes by itself, and apart from its row. Automerge has to be loaded by the time it loads or saves.
   */
  serve(repo: Repo): void {
    this.#repo = repo;
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
    const isAppended = saved !== undefined && saved.length > 0 && A.hasHeads(doc, saved);
    const saving = this.#store.transact(() => {
      const queued = isAppended
        ? this.#append(id, chunks, A.saveSince(doc, saved))
        : this.#saveWhole(id, chunks, doc);
      this.#requests.save(id, doc, this.#store); // not before: it may throw
      return queued;
    });
    if (isAppended && isWorthFolding(chunks)) this.#foldSoon(id);
    return saving;
  }

  /** Resolves when nothing is being stored as one. */
  async settled(): Promise<void> {
    while (this.#folding.size > 0) await Promise.all(this.#folding.values());
  }

  #append(id: DocumentId, chunks: StoredChunks, bytes: Uint8Array): Promise<void> {
    const key = [id, "incremental", hashOf(bytes)];
    addChunk(chunks, key, bytes.length);
    return this.#store.save(key, bytes);
  }

  /** Of a new document. One that has another history than its chunks keeps them if it does not load again. */
  #saveWhole(id: DocumentId, { keys }: StoredChunks, doc: A.Doc<unknown>): Promise<void> {
    const saved = { bytes: A.save(doc), heads: A.getHeads(doc) };
    const replaced = keys.length > 0 && loadsAgain(saved) ? keys : [];
    return this.#putWhole(id, noChunks(), saved, replaced);
  }

  #putWhole(
    id: DocumentId,
    chunks: StoredChunks,
    { bytes, heads }: SavedDocument,
    replaced: readonly StorageKey[],
  ): Promise<void> {
    const key = [id, "snapshot", hashOf(heads.join(""))];
    addChunk(chunks, key, bytes.length);
    this.#chunks.set(id, chunks);
    const saving = this.#store.save(key, bytes);
    for (const old of replaced) if (old[2] !== key[2]) void this.#store.remove(old);
    return saving;
  }

  /** Once for all that is saved in this tick. */
  #foldSoon(id: DocumentId): void {
    if (this.#folding.has(id) || this.#unsound.has(id)) return;
    const folding = Promise.resolve()
      .then(() => this.#fold(id))
      .finally(() => this.#folding.delete(id));
    this.#folding.set(id, folding);
  }

  async #fold(id: DocumentId): Promise<void> {
    const [doc, chunks] = [this.#loaded(id), this.#chunks.get(id)];
    const stored = this.#savedHeads.get(id);
    if (doc === undefined || chunks === undefined || !sameHeads(stored ?? [], A.getHeads(doc))) return;
    const replaced = [...chunks.keys];
    const saved = await saveChecked(doc);
    if (saved === undefined) {
      this.#unsound.add(id);
      return;
    }
    const current = this.#loaded(id);
    // Meanwhile it may have been let go of, or put in the place of one with another history.
    if (current === undefined || this.#chunks.get(id) !== chunks || !A.hasHeads(current, saved.heads)) return;
    this.#store.transact(() => {
      const left = chunks.keys.slice(replaced.length);
      void this.#putWhole(id, { ...noChunks(), keys: left }, saved, replaced);
    });
  }

  #loaded(id: DocumentId): A.Doc<unknown> | undefined {
    const handle = this.#repo?.handles[id as never];
    return handle?.isReady() ? (handle.doc() as A.Doc<unknown>) : undefined;
  }
}

const noChunks = (): StoredChunks => ({ keys: [], snapshotBytes: 0, appendedBytes: 0 });

function addChunk(chunks: StoredChunks, key: StorageKey, sizeBytes: number): void {
  chunks.keys.push(key);
  if (key[1] === "snapshot") chunks.snapshotBytes += sizeBytes;
  else chunks.appendedBytes += sizeBytes;
}

const isWorthFolding = ({ snapshotBytes, appendedBytes }: StoredChunks): boolean =>
  appendedBytes >= Math.max(snapshotBytes, MIN_APPENDED_BYTES);

const hashOf = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
