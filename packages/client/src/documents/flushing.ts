/**
 * What has changed in memory, and how it gets to disk: changes of one tick together, each document with the heads it
 * has there.
 *
 * @module
 */
import type { ChangeHash, DocumentId } from "@cambium/core";
import type { ReplicaStore } from "../storage/store.js";
import type { AcknowledgedDocument, AcknowledgedNote } from "./acknowledged-note.js";
import type { DocumentHealth } from "./document-health.js";

/** As much of the documents as has to be known to write them. */
export interface FlushedDocuments {
  /** Whether its content is in memory. */
  isLoaded(id: DocumentId): boolean;
  headsOf(id: DocumentId): readonly ChangeHash[];
  /** Hands the documents to the store, in this tick. */
  save(ids: readonly DocumentId[]): Promise<void>;
  /** As it is to be noted once it is on disk. */
  describe(id: DocumentId, heads: readonly ChangeHash[]): AcknowledgedDocument;
}

export class Flushing {
  readonly #store: ReplicaStore;
  readonly #health: DocumentHealth;
  readonly #note: AcknowledgedNote;
  readonly #documents: FlushedDocuments;
  readonly #changed = new Set<DocumentId>();
  /** Under a second id since the last flush. */
  readonly #copied = new Set<DocumentId>();
  readonly #written = new Set<DocumentId>();
  readonly #durableListeners = new Set<(document: DocumentId, heads: readonly ChangeHash[]) => void>();
  readonly #flushListeners = new Set<() => void>();
  readonly #riders = new Set<() => void>();
  #round: Promise<void> | undefined;

  constructor(
    { store, note }: { readonly store: ReplicaStore; readonly note: AcknowledgedNote },
    health: DocumentHealth,
    documents: FlushedDocuments,
  ) {
    this.#store = store;
    this.#note = note;
    this.#health = health;
    this.#documents = documents;
  }

  /** Calls back when the store holds a document with these heads. */
  onDurable(listener: (document: DocumentId, heads: readonly ChangeHash[]) => void): void {
    this.#durableListeners.add(listener);
  }

  /** Calls back before documents are written: what is changed then goes to disk with the rest. */
  onFlush(listener: () => void): void {
    this.#flushListeners.add(listener);
  }

  /** Calls back in the transaction that writes documents: what it queues goes to disk with all of them, or none. */
  onCommit(rider: () => void): void {
    this.#riders.add(rider);
  }

  noteChanged(id: DocumentId): void {
    this.#changed.add(id);
  }

  noteCopied(id: DocumentId): void {
    this.#copied.add(id);
  }

  /** The document is about to be destroyed here. */
  forget(id: DocumentId): void {
    for (const ids of [this.#changed, this.#copied, this.#written]) ids.delete(id);
  }

  /** Whether everything changed so far is on disk. */
  get isDurable(): boolean {
    return this.#changed.size === 0 && this.#copied.size === 0 && this.#round === undefined;
  }

  isChanged(id: DocumentId): boolean {
    return this.#changed.has(id);
  }

  /** Stored again in this session. */
  get written(): ReadonlySet<DocumentId> {
    return this.#written;
  }

  /** Resolves when everything changed so far, here or by the relay, is on disk. Rejects when the store failed. */
  async flush(): Promise<void> {
    // The round under way may have taken its list already; the one after it has ours.
    if (this.#round !== undefined) await this.#round;
    if (!this.isDurable) {
      this.#round ??= this.#flushOnce();
      await this.#round;
    }
    if (this.#store.failure !== undefined) throw this.#store.failure;
  }

  async #flushOnce(): Promise<void> {
    try {
      await Promise.resolve(); // lets calls of the same tick join
      for (const listener of this.#flushListeners) listener();
      const ids = [...this.#changed].filter((id) => this.#documents.isLoaded(id));
      this.#changed.clear();
      for (const id of ids) this.#written.add(id);
      const headsById = new Map(ids.map((id) => [id, this.#documents.headsOf(id)]));
      let saving: Promise<void> = Promise.resolve();
      this.#store.transact(() => {
        saving = this.#documents.save(ids);
        for (const rider of this.#riders) rider();
        for (const [id, heads] of headsById) this.putHeads(id, heads);
      });
      for (const id of this.#copied) headsById.set(id, this.#documents.headsOf(id));
      this.#copied.clear();
      const stored = [...headsById].map(([id, heads]) =>
        this.#documents.describe(id, this.#health.headsToStore(id, heads)),
      );
      await saving;
      await this.#store.flushed();
      this.#note.note(stored);
      for (const [id, heads] of headsById) this.tellDurable(id, heads);
    } finally {
      this.#round = undefined;
    }
  }

  tellDurable(id: DocumentId, heads: readonly ChangeHash[]): void {
    for (const listener of this.#durableListeners) listener(id, heads);
  }

  /** Notes with which heads the store has a document. */
  putHeads(id: DocumentId, localHeads: readonly ChangeHash[]): void {
    const row = this.#store.row(id);
    this.#store.putRow({
      documentId: id,
      localHeads: this.#health.headsToStore(id, localHeads),
      receiptedHeads: row?.receiptedHeads ?? [],
      receiptedAt: row?.receiptedAt,
    });
  }
}
