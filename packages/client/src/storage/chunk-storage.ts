/**
 * automerge-repo's storage interface, word for word. Stated here because our public types are made of it, and those who
 * read these need not have automerge-repo.
 *
 * @module
 */

/** The parts of a path: of a chunk `[documentId, "snapshot" | "incremental", hash]`. */
export type StorageKey = string[];

/** A stored chunk. */
export interface Chunk {
  /** Where it is stored. */
  key: StorageKey;
  /** Undefined only because automerge-repo allows it: stores here leave such chunks out. */
  data: Uint8Array | undefined;
}

/** A key-value store of bytes, as automerge-repo's `StorageAdapterInterface` asks for it. */
export interface ChunkStorage {
  /** Returns undefined for a key that is not there. */
  load(key: StorageKey): Promise<Uint8Array | undefined>;
  /** Stores a copy of `data`, in place of what was there. */
  save(key: StorageKey, data: Uint8Array): Promise<void>;
  /** Does nothing for a key that is not there. */
  remove(key: StorageKey): Promise<void>;
  /** @returns all whose keys begin with `keyPrefix` */
  loadRange(keyPrefix: StorageKey): Promise<Chunk[]>;
  /** Removes all whose keys begin with `keyPrefix`. */
  removeRange(keyPrefix: StorageKey): Promise<void>;
}
