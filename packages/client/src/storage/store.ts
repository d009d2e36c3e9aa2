/**
 * What a replica asks of the place that keeps its documents: automerge-repo's storage interface, plus one row
 * per document, atomic transactions, a durable `flushed`, and a guard against damaged bytes.
 *
 * @module
 */

import type { CambiumError } from "@cambium/core";
import type { ChunkStorage, StorageKey } from "./chunk-storage.js";

/** What is known about one document beside its chunks, written in the same transaction. Heads are sorted hex. */
export interface DocumentRow {
  /** In base58, as automerge-repo writes it. */
  readonly documentId: string;
  /** Heads of everything stored here: a document that lacks one of them has lost a chunk. */
  readonly localHeads: readonly string[];
  /** Last changes here that the relay's log has, up to `receiptedAt`. */
  readonly receiptedHeads: readonly string[];
  /** Up to which position of the relay's log it has been read what it holds of this document. Undefined before. */
  readonly receiptedAt: number | undefined;
}

/**
 * A call that a client may send again, and the change it wrote. Key and fingerprint are codes of what the client
 * gave, which is not kept: a fingerprint of a short text could be guessed.
 */
export interface RequestNote {
  /** A keyed code of the client's idempotency key. */
  readonly key: string;
  /** A keyed code of what the client said about the call. */
  readonly fingerprint: string;
  /** Hash of the change that the call wrote. */
  readonly change: string;
  /** Type of that change, such as `remember`. */
  readonly type: string;
  /** Id of the branch it was written on. */
  readonly branch: string;
  /** Ids, or the count of many. */
  readonly memories: readonly string[] | number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Why a chunk is in quarantine.
 * - `truncated`: fewer bytes than were written
 * - `altered`: other bytes than were written
 * - `missing`: the chunk is listed, its bytes are gone
 * - `unreadable`: the disk or the database cannot read it
 * - `unlisted`: bytes whose checksum was lost, so that nobody can say whether they are whole
 */
export type DamageReason = "truncated" | "altered" | "missing" | "unreadable" | "unlisted";

/** A chunk that is kept, but not handed to Automerge. */
export interface QuarantinedChunk {
  /** Where it was stored. */
  readonly key: StorageKey;
  /** The document it belongs to, which may lack changes until they are fetched again. */
  readonly documentId: string;
  /** What is wrong with it. */
  readonly reason: DamageReason;
  /** Bytes found, not bytes expected. */
  readonly sizeBytes: number;
}

/** How far `ReplicaStore.verify` has come. */
export interface VerifyProgress {
  /** Counts each document once all its chunks are read. */
  readonly documentsDone: number;
  /** Documents with at least one chunk. */
  readonly documentsTotal: number;
}

/** How to follow and stop `ReplicaStore.verify`. */
export interface VerifyOptions {
  /** Stops it between two documents: it rejects with ABORTED. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each document. */
  readonly onProgress?: ((progress: VerifyProgress) => void) | undefined;
}

/** What `ReplicaStore.verify` read and found. */
export interface VerifyReport {
  /** Documents that were read. */
  readonly documents: number;
  /** Chunks that were read. */
  readonly chunks: number;
  /** Bytes that were read. */
  readonly sizeBytes: number;
  /** Everything in quarantine, found now or earlier. */
  readonly damaged: readonly QuarantinedChunk[];
  /** Damage that belongs to no chunk, as sentences: database structure, rows, files nobody listed. */
  readonly problems: readonly string[];
}

/**
 * The stores of a replica. Writes are queued at once and committed together after the tick that made them.
 *
 * `save`, `remove` and `removeRange` never reject, because automerge-repo leaves their rejections unhandled:
 * they resolve when the commit is durable, or when the store has failed. Only `flushed` tells the two apart.
 */
export interface ReplicaStore extends ChunkStorage, AsyncDisposable {
  /** Set once, by the first write that fails. From then on nothing is written: memory and disk differ. */
  readonly failure: CambiumError | undefined;
  /** Calls once, with `failure`, in the tick in which it is set. */
  onFailure(listener: (failure: CambiumError) => void): void;

  /** Returns the rows of all documents, with what was put so far. */
  rows(): readonly DocumentRow[];
  /** Returns the row of one document, with what was put so far. Undefined if it has none. */
  row(documentId: string): DocumentRow | undefined;
  /** Visible to `row` at once, on disk with everything else of this tick. */
  putRow(row: DocumentRow): void;
  /** The rest of a row: visible at once, on disk with what is written next, or a second later. It can be asked for again. */
  putReceipt(receipt: Omit<DocumentRow, "localHeads">): void;

  /**
   * To be queued in the same transaction as the change it names: on disk are both or neither. Of two notes with
   * one key the first stays. Each new one lets some of the oldest go that are a day older than it.
   */
  noteRequest(note: RequestNote): void;
  /**
   * Queued or on disk. Looked up in microseconds, waiting for nothing.
   * @throws {CambiumError} STORE_DAMAGED, or REPLICA_CLOSED
   */
  request(key: string): RequestNote | undefined;

  /**
   * Makes one atomic commit of everything that `queue` saves, removes and puts. When `queue` throws, none of it
   * is written; it must not throw after automerge-repo has saved in it, which believes that save was kept.
   */
  transact<Result>(queue: () => Result): Result;

  /**
   * Resolves when everything queued so far is on disk (fsync).
   * @throws {CambiumError} STORE_FAILED, or REPLICA_CLOSED
   */
  flushed(): Promise<void>;

  /**
   * Gives a document a second id, at a cost that does not grow with its bytes: both ids share what is stored or
   * queued so far, and go their own ways from here. Queued when this resolves. Sync states, and what the relay holds
   * of it, stay behind.
   * @throws {CambiumError} STORE_DAMAGED when a chunk of `from` is in quarantine, BAD_INPUT when `to` exists
   */
  copyDocument(from: string, to: string): Promise<void>;

  /** Removes chunks, row and quarantined bytes of a document, leaving no trace in journals, durably. */
  removeDocument(documentId: string): Promise<void>;

  /** From now on, also after reopening, saves and rows of this id are dropped without a word. */
  retire(documentId: string): void;
  /** Whether `retire` was called for this id, now or before the store was reopened. */
  isRetired(documentId: string): boolean;

  /** Returns everything in quarantine, found now or earlier. */
  quarantined(): readonly QuarantinedChunk[];

  /**
   * Ends the doubt about a document and drops its quarantined bytes, so that it may be compacted again. Only for
   * a caller who has seen the document hold every head of its row and wait for no dependency.
   */
  markRepaired(documentId: string): void;

  /**
   * Asked by itself after each commit, before anyone is notified of it. Takes a few microseconds.
   * @throws {CambiumError} STORE_FAILED when its files were removed, moved or replaced while they were open
   */
  refuseDisplaced(): void;

  /** Reads every stored byte; sets aside what is damaged. */
  verify(options?: VerifyOptions): Promise<VerifyReport>;

  /** Writes what is queued, then lets go of the files. Safe to call twice; never rejects after a failure. */
  close(): Promise<void>;
}
