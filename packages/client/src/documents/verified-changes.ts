/**
 * Changes that were read and verified when they came: the index takes them from here a moment later, instead of reading
 * them again.
 *
 * @module
 */
import type { Change, ChangeHash } from "@cambium/core";

/** What nobody has asked for by then, nobody will. */
const MAX_KEPT = 512;

export class VerifiedChanges {
  #kept = new Map<ChangeHash, Change>();

  note(change: Change): void {
    if (this.#kept.size >= MAX_KEPT) this.#kept = new Map();
    this.#kept.set(change.hash, change);
  }

  get(hash: ChangeHash): Change | undefined {
    return this.#kept.get(hash);
  }

  /** Once. */
  take(hash: ChangeHash): Change | undefined {
    const change = this.#kept.get(hash);
    if (change !== undefined) this.#kept.delete(hash);
    return change;
  }
}
