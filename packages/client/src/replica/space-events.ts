/**
 * What an open space tells whoever listens, and the notices that it has given since it was opened.
 *
 * @module
 */
import type { BranchId, ChangeHash, DocumentId } from "@cambium/core";
import type { SpaceEvent } from "../api.js";
import type { SpaceParts } from "./space-parts.js";

export class SpaceEvents {
  readonly notices = new Set<string>();
  readonly #listeners = new Set<(event: SpaceEvent) => void>();

  subscribe(listener: (event: SpaceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What a listener throws is its own: the write that it is told of was made, and others hear of it, too. */
  emit(event: SpaceEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  readonly notice = (message: string): void => {
    this.notices.add(message);
    this.emit({ type: "notice", message });
  };

  /** A document has changed: its branch, if it is of one, has other heads. */
  changed(
    { catalog, directory, views }: Pick<SpaceParts, "catalog" | "directory" | "views">,
    document: DocumentId,
    heads: readonly ChangeHash[],
  ): void {
    // Main needs no entry in the catalog.
    const branches = new Set([directory.main, ...(catalog.current.branches.keys() as Iterable<BranchId>)]);
    const branch = [...branches].find((id) => views.documentOf(id) === document);
    this.emit(branch === undefined ? { type: "changed" } : { type: "changed", branch, heads });
  }
}
