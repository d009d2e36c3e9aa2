/**
 * The documents in memory: loaded when asked for, freed when nobody has asked for a while.
 *
 * Everything here runs inside the committer's loop, one thing after the other.
 *
 * @module
 */
import type { DocumentLog } from "./log/relay-log.js";
import { SharedDocument } from "./shared-document.js";

export interface DocumentSetOptions {
  readonly log: DocumentLog;
  readonly now: () => number;
}

export class DocumentSet {
  readonly #log: DocumentLog;
  readonly #now: () => number;
  /** By space and id: until its first change is stored, an id is nobody's, and two spaces may try it. */
  readonly #documents = new Map<string, SharedDocument>();

  constructor({ log, now }: DocumentSetOptions) {
    this.#log = log;
    this.#now = now;
  }

  /**
   * @returns the document, empty if nobody has written to it yet; undefined if it is another space's
   * @throws {CambiumError} STORE_DAMAGED
   */
  async open(space: string, documentId: string): Promise<SharedDocument | undefined> {
    const key = keyOf(space, documentId);
    let document = this.#documents.get(key);
    if (document === undefined) {
      const stored = await this.#log.load(documentId);
      if (stored !== undefined && stored.space !== space) return undefined;
      document = new SharedDocument(space, documentId, stored);
      this.#documents.set(key, document);
    }
    document.usedAt = this.#now();
    return document;
  }

  /** Forgets what memory holds of the document; the log is untouched. */
  drop(document: SharedDocument): void {
    this.#documents.delete(keyOf(document.space, document.documentId));
    document.free();
  }

  /** Takes back what a document took in while failing; what others gave before that stays. */
  async restore(document: SharedDocument): Promise<void> {
    const stored = await this.#log.load(document.documentId);
    document.restore(stored?.space === document.space ? stored : undefined);
  }

  /** Stores the document as one chunk, if that is worth the work. */
  async compact(document: SharedDocument): Promise<void> {
    const bytes = document.snapshotIfWorthwhile();
    if (bytes === undefined) return;
    await this.#log.compact({ documentId: document.documentId, seq: document.seq, bytes });
  }

  /** @returns how many documents, unused since `idleMs` ago, were freed */
  async evictIdle(idleMs: number): Promise<number> {
    const idle = [...this.#documents.values()].filter(({ usedAt }) => usedAt <= this.#now() - idleMs);
    for (const document of idle) {
      try {
        await this.compact(document);
      } finally {
        this.drop(document);
      }
    }
    return idle.length;
  }

  /** Forgets everything that memory holds; the log is untouched. */
  clear(): void {
    for (const document of [...this.#documents.values()]) this.drop(document);
  }
}

const keyOf = (space: string, documentId: string): string => `${documentId} ${space}`;
