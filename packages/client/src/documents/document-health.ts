/**
 * Documents of which stored bytes were lost. What is left stays readable and writable; what the relay
 * still holds comes back, and only then is the doubt over.
 *
 * @module
 */
import type { DocHandle } from "@automerge/automerge-repo";
import type { ChangeHash, DocumentId, DocumentKind } from "@cambium/core";
import type { ReplicaStore } from "../storage/store.js";
import * as A from "./automerge.js";

export class DocumentHealth {
  readonly #store: ReplicaStore;
  readonly #damaged = new Set<DocumentId>();

  constructor(store: ReplicaStore) {
    this.#store = store;
  }

  isDamaged(id: DocumentId): boolean {
    return this.#damaged.has(id);
  }

  /** Judges a document just loaded by the heads that were stored with it. */
  examine(id: DocumentId, doc: A.Doc<unknown> | undefined): boolean {
    const expected = this.#store.row(id)?.localHeads ?? [];
    const isWhole = expected.length === 0 || (doc !== undefined && A.hasHeads(doc, expected));
    if (!isWhole) this.#damaged.add(id);
    return !isWhole;
  }

  /** Ends the doubt once everything that was stored is there again. */
  reexamine(id: DocumentId, doc: A.Doc<unknown>): void {
    if (!this.#damaged.has(id)) return;
    const expected = this.#store.row(id)?.localHeads ?? [];
    if (!A.hasHeads(doc, expected) || A.getMissingDeps(doc, []).length > 0) return;
    this.#damaged.delete(id);
    this.#store.markRepaired(id);
  }

  /** The heads to store beside a document: of a damaged one also those it should have. */
  headsToStore(id: DocumentId, heads: readonly ChangeHash[]): readonly ChangeHash[] {
    if (!this.#damaged.has(id)) return heads;
    const expected = (this.#store.row(id)?.localHeads ?? []) as ChangeHash[];
    return [...new Set([...expected, ...heads])].sort();
  }
}

/**
 * Gives what is left of a document the maps it began with, so that it can be written: they are the same
 * everywhere, so nothing is made up. Only a caller who knows the kind may do this.
 */
export function restoreGenesis(kind: DocumentKind, handle: DocHandle<unknown>): void {
  handle.update((doc) => A.loadIncremental(doc as A.Doc<unknown>, A.genesis(kind)));
  if (!handle.isReady()) handle.doneLoading();
}
