/**
 * automerge-repo's storage interface, word for word. Stated here because our public types are made of it, and whoever
 * reads those need not have automerge-repo.
 *
 * @module
 */

/** The parts of a path: of a chunk `[documentId, "snapshot" | "incremental", hash]`. */
export type StorageKey = string[];

export interface Chunk {
  key: StorageKey;
  data: Uint8Array | undefined;
}

export interface ChunkStorage {
  load(key: StorageKey): Promise<Uint8Array | undefined>;
  save(key: StorageKey, data: Uint8Array): Promise<void>;
  remove(key: StorageKey): Promise<void>;
  /** @returns all whose keys begin with `keyPrefix` */
  loadRange(keyPrefix: StorageKey): Promise<Chunk[]>;
  /** Removes all whose keys begin with `keyPrefix`. */
  removeRange(keyPrefix: StorageKey): Promise<void>;
}
