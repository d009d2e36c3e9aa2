/**
 * The documents that a stock client has asked for, and what of them its thread has in memory.
 *
 * @module
 */
import type { SpaceLog } from "../log/space-log.js";
import { giveChanges } from "./log-pieces.js";
import type { StockThread } from "./stock-threads.js";

/** Documents that one session may ask for. */
const MAX_DOCUMENTS = 100_000;
/** Of more bytes in the log, no document is loaded. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
/** When the documents of a session have more, those that were used longest ago are let go of. */
const MAX_LOADED_BYTES = 32 * 1024 * 1024;

/** A document that the client has asked for. */
export interface Synced {
  readonly documentId: string;
  /** Up to where in the log the thread has it; undefined while it does not. */
  position: number | undefined;
  loadedBytes: number;
  /** Whether the client has said that it has the document, and the log did not. */
  isComing: boolean;
}

export class TooLarge extends Error {}

/** It is loaded again when it is needed. */
export function letGo(synced: Synced): void {
  synced.position = undefined;
  synced.loadedBytes = 0;
}

export class SyncedDocuments {
  readonly #log: SpaceLog;
  readonly #space: string;
  /** What was used last is at the end. */
  readonly #documents = new Map<string, Synced>();

  constructor(log: SpaceLog, space: string) {
    this.#log = log;
    this.#space = space;
  }

  get(document: string): Synced | undefined {
    return this.#documents.get(document);
  }

  has(document: string): boolean {
    return this.#documents.has(document);
  }

  /** @returns undefined when the client has asked for too many */
  use(document: string, documentId: string): Synced | undefined {
    const known = this.#documents.get(document);
    if (known === undefined && this.#documents.size >= MAX_DOCUMENTS) return undefined;
    const synced = known ?? { documentId, position: undefined, loadedBytes: 0, isComing: false };
    this.#documents.delete(document);
    this.#documents.set(document, synced);
    return synced;
  }

  delete(document: string): void {
    this.#documents.delete(document);
  }

  clear(): void {
    this.#documents.clear();
  }

  /** The thread is gone. */
  letGoOfAll(): void {
    for (const synced of this.#documents.values()) letGo(synced);
  }

  /** How many are in memory. */
  get loaded(): number {
    return [...this.#documents.values()].filter(({ position }) => position !== undefined).length;
  }

  /**
   * Gives the thread what the log has of a document and it has not.
   *
   * @throws {TooLarge}
   */
  async catchUp(
    thread: Pick<StockThread, "give" | "forget">,
    document: string,
    synced: Synced,
  ): Promise<void> {
    const after = synced.position ?? 0;
    const mostBytes = MAX_DOCUMENT_BYTES - synced.loadedBytes;
    const read = await giveChanges(
      { log: this.#log, space: this.#space, document, after, mostBytes },
      (bytes) => thread.give(document, bytes),
    );
    if (read === undefined) {
      thread.forget(document);
      throw new TooLarge();
    }
    synced.position = read.last;
    synced.loadedBytes += read.bytes;
  }

  /** Lets go of documents, but not of this one. */
  makeRoom(thread: Pick<StockThread, "forget">, document: string): void {
    let bytes = 0;
    for (const { loadedBytes } of this.#documents.values()) bytes += loadedBytes;
    for (const [other, synced] of this.#documents) {
      if (bytes <= MAX_LOADED_BYTES) return;
      if (other === document || synced.position === undefined) continue;
      thread.forget(other);
      bytes -= synced.loadedBytes;
      letGo(synced);
    }
  }
}
