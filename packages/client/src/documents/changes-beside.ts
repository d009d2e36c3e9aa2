/**
 * Changes that are kept beside their documents: in the store, and never given to Automerge from there.
 *
 * @module
 */
import { type DocumentId, decodeCanonical, type Encodable, encodeCanonical } from "@cambium/core";
import type { ReplicaStore } from "../storage/store.js";

/** What is kept of each, and where. */
export interface ChangesBesideOptions<Stored> {
  readonly store: ReplicaStore;
  /** The first part of their keys. No document has this id. */
  readonly place: string;
  /** Called for each one that earlier sessions have kept. */
  readonly onRead: (document: DocumentId, hash: string, stored: Stored) => void;
}

export class ChangesBeside<Stored extends object> {
  readonly #options: ChangesBesideOptions<Stored>;
  #reading: Promise<void> | undefined;

  constructor(options: ChangesBesideOptions<Stored>) {
    this.#options = options;
  }

  /** Reads what earlier sessions have kept. Costs nothing the second time. */
  read(): Promise<void> {
    this.#reading ??= this.#readOnce();
    return this.#reading;
  }

  async #readOnce(): Promise<void> {
    const { store, place, onRead } = this.#options;
    for (const { key, data } of await store.loadRange([place])) {
      const [, document, hash] = key as [string, DocumentId, string];
      onRead(document, hash, storedIn(data));
    }
  }

  /** What is kept of a document, in any order. */
  async of(document: DocumentId): Promise<readonly Stored[]> {
    return [...(await this.byHash(document)).values()];
  }

  async byHash(document: DocumentId): Promise<ReadonlyMap<string, Stored>> {
    const { store, place } = this.#options;
    const rows = await store.loadRange([place, document]);
    return new Map(rows.map(({ key, data }) => [key[2] as string, storedIn<Stored>(data)]));
  }

  save(document: DocumentId, hash: string, stored: Stored): void {
    const { store, place } = this.#options;
    void store.save([place, document, hash], encodeCanonical(stored as unknown as Encodable));
  }

  remove(document: DocumentId, hash: string): void {
    const { store, place } = this.#options;
    void store.remove([place, document, hash]);
  }
}

const storedIn = <Stored>(data: Uint8Array | undefined): Stored =>
  (data && decodeCanonical(data)) as unknown as Stored;
