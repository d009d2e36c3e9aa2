/**
 * One batch as it is filled.
 *
 * @module
 */
import { type DocumentId, documentIdToHex, plainChange } from "@cambium/core";
import { type BatchItem, LOG_LIMITS } from "@cambium/core/wire";
import type { SentChange } from "../documents/sent-changes.js";
import { chunkTools } from "../platform/node-platform.js";
import type { Fork } from "./fork-to-ask.js";
import type { PlacedChange } from "./sync-tracker.js";

export interface SentItem {
  readonly document: DocumentId;
  readonly item: BatchItem;
  /** What the relay has of the document once it has this. */
  readonly placed: readonly PlacedChange[];
}

/** Room for what stands around a chunk. */
const ITEM_BYTES = 64;

export class BatchBuilder {
  readonly items: SentItem[] = [];
  #sizeBytes = 0;

  fork(document: DocumentId, { from, heads }: Fork): void {
    const item: BatchItem = {
      ...{ kind: "fork", document: documentIdToHex(document), from: documentIdToHex(from), heads },
    };
    this.#sizeBytes += ITEM_BYTES * (heads.length + 1);
    this.items.push({ document, item, placed: heads.map((hash) => ({ hash, deps: [] })) });
  }

  /** @returns those that did not fit */
  add(document: DocumentId, changes: readonly SentChange[]): readonly SentChange[] {
    for (const [index, { hash, deps, bytes }] of changes.entries()) {
      const chunk = plainChange(bytes, chunkTools);
      const isFull =
        this.items.length >= LOG_LIMITS.batchItems ||
        this.#sizeBytes + chunk.length + ITEM_BYTES > LOG_LIMITS.batchBytes;
      if (isFull && this.items.length > 0) return changes.slice(index);
      this.#sizeBytes += chunk.length + ITEM_BYTES;
      const item: BatchItem = { kind: "change", document: documentIdToHex(document), chunk };
      this.items.push({ document, item, placed: [{ hash, deps }] });
    }
    return [];
  }
}
