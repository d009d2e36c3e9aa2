/**
 * Events of the documents in memory.
 *
 * @module
 */
import type { Change, ChangeHash, DocumentId } from "@cambium/core";
import type * as A from "./automerge.js";

export interface HeadsEvent {
  readonly document: DocumentId;
  readonly doc: A.Doc<unknown>;
  readonly heads: readonly ChangeHash[];
  readonly isLocal: boolean;
  /** The document was put in the place of one with another history. */
  readonly isReplaced: boolean;
  /** The change itself, when it is one of ours and nothing else came in with it. */
  readonly change?: Change | undefined;
}

export class DocumentEvents {
  readonly #listeners = new Set<(event: HeadsEvent) => void>();
  readonly #collisionListeners = new Set<(document: DocumentId) => void>();
  readonly #damageListeners = new Set<(document: DocumentId) => void>();

  onHeads(listener: (event: HeadsEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onCollision(listener: (document: DocumentId) => void): void {
    this.#collisionListeners.add(listener);
  }

  onDamage(listener: (document: DocumentId) => void): void {
    this.#damageListeners.add(listener);
  }

  emit(event: HeadsEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  collide(document: DocumentId): void {
    for (const listener of this.#collisionListeners) listener(document);
  }

  damaged(document: DocumentId): void {
    for (const listener of this.#damageListeners) listener(document);
  }
}
