/**
 * Documents that lie in many chunks are stored as one: many load one after the other.
 *
 * @module
 */
import type { DocumentId } from "@cambium/core";
import type { Chunk } from "../storage/chunk-storage.js";
import type { ReplicaStore } from "../storage/store.js";
import type * as A from "./automerge.js";
import type { PendingRequests } from "./requested-changes.js";
import { compactDocument } from "./stored-documents.js";

export interface CompactionOptions {
  readonly store: ReplicaStore;
  readonly requests: PendingRequests;
  readonly flush: () => Promise<void>;
  /** A loaded document as it is when asked, unless some of it is damaged. */
  readonly whole: (id: DocumentId) => (() => A.Doc<unknown>) | undefined;
}

/** Loading so many takes a few milliseconds; thousands take seconds. */
const SCATTERED_CHUNKS = 64;
/** Chunks of single changes take four times the room of the same changes in one piece. Less than this is not worth it. */
const MIN_LOOSE_BYTES = 16_384;
/** As part of what lies in one piece: a document that grows is stored again whenever it has grown by this part. */
const MAX_LOOSE = 1 / 16;
/** What is written meanwhile has to be on disk first. */
const COMPACT_ATTEMPTS = 3;

export class Compaction {
  readonly #options: CompactionOptions;
  /** They were stored as one chunk in this session. */
  readonly #finished = new Set<DocumentId>();

  constructor(options: CompactionOptions) {
    this.#options = options;
  }

  /** Stores a loaded document that is complete as one chunk. */
  async compact(id: DocumentId): Promise<void> {
    const { store, requests, flush, whole } = this.#options;
    this.#finished.add(id);
    for (let attempt = 0; attempt < COMPACT_ATTEMPTS; attempt += 1) {
      await flush();
      const current = whole(id);
      if (current === undefined) return;
      const outcome = await compactDocument(store, id, requests, current);
      if (outcome !== "early") return;
    }
  }

  /**
   * Stores as one chunk what by now lies in many, or of which much lies beside the one. Also what was stored so already,
   * if something was written to it since.
   *
   * @param written - in this session
   */
  async compactScattered(written: Iterable<DocumentId>): Promise<void> {
    for (const id of written) {
      const loose = await this.#options.store.loadRange([id, "incremental"]);
      const most = this.#finished.has(id) ? 1 : SCATTERED_CHUNKS;
      if (loose.length >= most || (await this.#isMuch(id, loose))) await this.compact(id);
    }
  }

  async #isMuch(id: DocumentId, loose: readonly Chunk[]): Promise<boolean> {
    const bytes = bytesOf(loose);
    if (bytes < MIN_LOOSE_BYTES) return false;
    return bytes > bytesOf(await this.#options.store.loadRange([id, "snapshot"])) * MAX_LOOSE;
  }
}

const bytesOf = (chunks: readonly Chunk[]): number =>
  chunks.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
