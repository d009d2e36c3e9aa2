/**
 * What a kind of storage has to provide; the guard makes a `ReplicaStore` of it. A medium keeps bytes and what
 * it was given about them; it judges nothing.
 *
 * @module
 */

import type { Checksum } from "./checksum.js";
import type { StorageKey } from "./chunk-storage.js";
import type { DocumentRow, QuarantinedChunk, RequestNote } from "./store.js";

/** One write of a commit. A commit is a list of them, applied in order. */
export type WriteOperation =
  | {
      readonly type: "put";
      /** Replaces what is stored under it. */
      readonly key: StorageKey;
      /** Not changed by anyone any more: they need not be copied. */
      readonly bytes: Uint8Array;
      /** Of `bytes`, to be stored with them. */
      readonly checksum: Checksum;
    }
  | { readonly type: "remove"; readonly key: StorageKey }
  /** The chunks that `from` has at this point in the order; nothing is stored under `to`. Bytes may be shared. */
  | { readonly type: "copy-document"; readonly from: string; readonly to: string }
  | { readonly type: "remove-range"; readonly prefix: StorageKey }
  /** Chunks, row and quarantined bytes; nothing of it may stay behind in a journal. */
  | { readonly type: "remove-document"; readonly documentId: string }
  | { readonly type: "row"; readonly row: DocumentRow }
  /** In the place of one with its key, and taking overdue ones with it: see `request-note.ts`. */
  | { readonly type: "request"; readonly note: RequestNote }
  | { readonly type: "retire"; readonly documentId: string }
  /** Keeps the bytes, if there are any to read, where neither `read` nor a later `put` of the key meets them. */
  | { readonly type: "quarantine"; readonly chunk: QuarantinedChunk }
  | { readonly type: "drop-quarantine"; readonly documentId: string };

/** Bytes as found; `undefined` if they cannot be read, for the reason given. */
export interface StoredChunk {
  /** Where it is stored. */
  readonly key: StorageKey;
  /** Of the bytes as they were put, whatever was found. */
  readonly checksum: Checksum;
  /** As found, whole or not. Undefined if they cannot be read. */
  readonly bytes: Uint8Array | undefined;
  /** Only without `bytes`: they are gone, or the disk cannot read them. */
  readonly unreadable?: "missing" | "unreadable";
}

/** What a copied document consists of; a sync state belongs to the original. */
export const CHUNK_KINDS = ["snapshot", "incremental"] as const;

/** What a medium knows at open, beside chunks. */
export interface MediumState {
  /** One for each document that has a row. */
  readonly rows: readonly DocumentRow[];
  /** Chunks that were set aside and not dropped since. */
  readonly quarantined: readonly QuarantinedChunk[];
  /** Ids whose writes the guard drops. */
  readonly retired: readonly string[];
}

/** Reads and commits never overlap: the guard makes them wait for one another. Only `request` is asked at any time. */
export interface Medium {
  /** Read once, when the medium was opened; `commit` does not change it. */
  readonly initial: MediumState;
  /** All operations, in their order, or none. When it resolves they survive a power cut. */
  commit(operations: readonly WriteOperation[]): Promise<void>;
  /** Returns the chunk of exactly this key, or undefined if there is none. */
  read(key: StorageKey): Promise<StoredChunk | undefined>;
  /** Every chunk at or under `prefix`, in the order in which their keys were first put. */
  readRange(prefix: StorageKey): Promise<readonly StoredChunk[]>;
  /** The keys at or under `prefix`; all keys if it is empty. */
  keys(prefix: StorageKey): Promise<readonly StorageKey[]>;
  /** As of the last commit that resolved. */
  request(key: string): RequestNote | undefined;
  /** Looks for damage outside chunks; sentences for people. */
  inspect(): Promise<readonly string[]>;
  /**
   * Says in a sentence why what it commits would not be found by the next process that opens it: its files were
   * removed, moved or replaced while they were open. Undefined while they are in their place. Takes a few
   * microseconds.
   */
  displaced(): string | undefined;
  /** Lets go of the files. Called once, after the last commit. */
  close(): Promise<void>;
}

/**
 * Returns a text for a key such that the texts of all keys under a prefix begin with the prefix's own text:
 * each part is followed by a slash, and holds none.
 */
export const keyToText = (key: StorageKey): string =>
  key
    .map((part) => `${part.replaceAll("%", "%25").replaceAll("/", "%2F").replaceAll("\0", "%00")}/`)
    .join("");

export const textToKey = (text: string): StorageKey =>
  text
    .split("/")
    .slice(0, -1)
    .map((part) => part.replaceAll("%00", "\0").replaceAll("%2F", "/").replaceAll("%25", "%"));
