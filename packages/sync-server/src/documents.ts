/**
 * The documents in memory: loaded when asked for, freed when nobody has asked for a while.
 *
 * Everything here runs inside the committer's loop, one thing after the other.
 *
 * @module
 */
import { isCambiumError } from "@cambium/core";
import type { OnEvent } from "./events.js";
import type { DocumentLog, StoredDocument } from "./log/relay-log.js";
import { CHANGES_AT_ONCE, loadsAgain, loadsElsewhere } from "./saved-document.js";
import { SharedDocument, type Snapshot } from "./shared-document.js";
import { salvage } from "./stored-documents.js";

export interface DocumentSetOptions {
  readonly log: DocumentLog;
  readonly now: () => number;
  readonly onEvent: OnEvent;
}

export class DocumentSet {
  readonly #log: DocumentLog;
  readonly #now: () => number;
  /** By space and id: until its first change is stored, an id is nobody's, and two spaces may try it. */
  readonly #documents = new Map<string, SharedDocument>();
  readonly #onEvent: OnEvent;
  /** Snapshots of large documents that are being loaded, to see whether they do. */
  readonly #checking = new Map<SharedDocument, Promise<void>>();

  constructor({ log, now, onEvent }: DocumentSetOptions) {
    this.#log = log;
    this.#now = now;
    this.#onEvent = onEvent;
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
      document = await this.#load(space, documentId, stored);
      this.#documents.set(key, document);
    }
    document.usedAt = this.#now();
    return document;
  }

  async #load(
    space: string,
    documentId: string,
    stored: StoredDocument | undefined,
  ): Promise<SharedDocument> {
    try {
      return new SharedDocument(space, documentId, stored);
    } catch (error) {
      if (stored === undefined || !isCambiumError(error, "STORE_DAMAGED")) throw error;
      if (!(await this.#setAside(stored))) throw error;
      return new SharedDocument(space, documentId, await this.#log.load(documentId));
    }
  }

  /** Takes out of a stored document what it cannot be loaded with. @returns whether that is all that was wrong */
  async #setAside(stored: StoredDocument): Promise<boolean> {
    const { space, documentId } = stored;
    const salvaged = salvage(stored);
    if (salvaged === undefined) return false;
    const { handle, aside } = salvaged;
    const saved = { bytes: handle.save(), heads: handle.getHeads() };
    handle.free();
    if (aside.length === 0 || !loadsAgain(saved)) return false;
    await this.#log.setAside({ space, documentId, ...saved, aside });
    const changes = aside.map(({ hash, reason }) => ({ hash, reason }));
    this.#onEvent({ level: "error", type: "changes-set-aside", documentId, changes });
    return true;
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

  /** Stores the document as one chunk, if that is worth the work: a large one later, once a thread has loaded it. */
  async compact(document: SharedDocument): Promise<void> {
    if (this.#checking.has(document)) return;
    const snapshot = document.snapshotIfWorthwhile();
    if (snapshot === undefined) return;
    if (snapshot.changes <= CHANGES_AT_ONCE) return this.#replace(document, snapshot, loadsAgain(snapshot));
    const checking = loadsElsewhere(snapshot)
      .then((loads) => this.#replace(document, snapshot, loads))
      .catch((error: unknown) => this.#onEvent({ level: "error", type: "failed", error }))
      .finally(() => this.#checking.delete(document));
    this.#checking.set(document, checking);
  }

  /** @returns once no snapshot is being looked at */
  async settled(): Promise<void> {
    while (this.#checking.size > 0) await Promise.all(this.#checking.values());
  }

  async #replace(document: SharedDocument, snapshot: Snapshot, loads: boolean): Promise<void> {
    const { documentId } = document;
    const { seq, bytes } = snapshot;
    if (!loads) {
      const error = new Error("What Automerge saves of the document does not load; its changes are kept.");
      this.#onEvent({ level: "error", type: "document-unsound", documentId, error });
      return;
    }
    await this.#log.compact({ documentId, seq, bytes });
    document.compacted(snapshot);
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
