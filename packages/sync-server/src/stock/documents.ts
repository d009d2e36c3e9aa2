/**
 * The documents in memory: loaded when asked for, freed when nobody has asked for a while.
 *
 * Everything here runs inside the committer's loop, one thing after the other.
 *
 * @module
 */
import { isCambiumError } from "@cambium/core";
import type { OnEvent } from "../events.js";
import { SharedDocument } from "./shared-document.js";
import type { StockLog, StoredDocument } from "./stock-log.js";
import { handleOf, salvage } from "./stored-documents.js";
import type { Handle } from "./wasm.js";

export interface DocumentSetOptions {
  readonly log: StockLog;
  readonly now: () => number;
  readonly onEvent: OnEvent;
}

export class DocumentSet {
  readonly #log: StockLog;
  readonly #now: () => number;
  /** By space and id. */
  readonly #documents = new Map<string, SharedDocument>();
  readonly #onEvent: OnEvent;

  constructor({ log, now, onEvent }: DocumentSetOptions) {
    this.#log = log;
    this.#now = now;
    this.#onEvent = onEvent;
  }

  /**
   * @returns the document, empty if nobody has written to it yet
   * @throws {CambiumError} STORE_DAMAGED
   */
  async open(space: string, documentId: string): Promise<SharedDocument> {
    const key = keyOf(space, documentId);
    let document = this.#documents.get(key);
    if (document === undefined) {
      const stored = await this.#log.load(space, documentId);
      const handle = stored && this.#handleOf(stored);
      document = new SharedDocument(space, documentId, handle, stored?.seq);
      this.#documents.set(key, document);
    }
    document.usedAt = this.#now();
    return document;
  }

  /** A document that does not load with everything in the log is served without what is bad in it. */
  #handleOf(stored: StoredDocument): Handle {
    try {
      return handleOf(stored);
    } catch (error) {
      const salvaged = isCambiumError(error, "STORE_DAMAGED") ? salvage(stored) : undefined;
      if (salvaged === undefined) throw error;
      const changes = salvaged.aside.map(({ hash, reason }) => ({ hash, reason }));
      const { documentId } = stored;
      this.#onEvent({ level: "error", type: "changes-set-aside", documentId, changes });
      return salvaged.handle;
    }
  }

  /** Gives a document in memory what others have added to the log. */
  async catchUp(space: string, documentId: string, seq: number): Promise<void> {
    const document = this.#documents.get(keyOf(space, documentId));
    if (document === undefined || document.seq >= seq) return;
    const changes = await this.#log.changesAfter(space, documentId, document.seq);
    try {
      document.takeStored(changes, seq);
    } catch (error) {
      // Loaded again, it is served without what is bad in it.
      this.#onEvent({ level: "error", type: "document-refused", documentId, error });
      this.drop(document);
    }
  }

  /** The next who asks for the document gets another one; whoever holds this one may go on. */
  forget(document: SharedDocument): void {
    this.#documents.delete(keyOf(document.space, document.documentId));
  }

  /** Forgets what memory holds of the document; the log is untouched. */
  drop(document: SharedDocument): void {
    this.forget(document);
    document.free();
  }

  /** Takes back what a document took in while failing; what others gave before that stays. */
  async restore(document: SharedDocument): Promise<void> {
    const stored = await this.#log.load(document.space, document.documentId);
    document.restore(stored && this.#handleOf(stored), stored?.seq);
  }

  /** @returns how many documents, unused since `idleMs` ago, were freed */
  evictIdle(idleMs: number): number {
    const idle = [...this.#documents.values()].filter(({ usedAt }) => usedAt <= this.#now() - idleMs);
    for (const document of idle) this.drop(document);
    return idle.length;
  }

  /** Forgets everything that memory holds; the log is untouched. */
  clear(): void {
    for (const document of [...this.#documents.values()]) this.drop(document);
  }
}

const keyOf = (space: string, documentId: string): string => `${documentId} ${space}`;
