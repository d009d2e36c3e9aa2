/**
 * What the bare clients of one process know together of a space: which changes there are, and the heads of its
 * documents as far as any of them has read.
 *
 * @module
 */
import { type EntryItem, LOG_KINDS, type MarkedEntry, markedEntry } from "@cambium/core/wire";
import { chunkTools, newActor, SharedDocument } from "../../bench/relay/shared-document.ts";

export class SpaceView {
  readonly token: string;
  /** All changes that were made, of all documents: a fork has those of its source. */
  readonly changes = new SharedDocument();
  /** Where each confirmed change is, as its receipt said. */
  readonly confirmed = new Map<string, number>();
  readonly #heads = new Map<string, Set<string>>([[newActor(), new Set()]]);
  #end = 0;

  constructor(token: string) {
    this.token = token;
  }

  get documents(): readonly string[] {
    return [...this.#heads.keys()];
  }

  headsOf(document: string): readonly string[] {
    return [...(this.#heads.get(document) ?? [])];
  }

  /** Takes an entry that somebody has read. */
  take(position: number, item: EntryItem): MarkedEntry {
    const entry = markedEntry(item, chunkTools);
    if (position !== this.#end + 1) return entry;
    this.#end = position;
    const heads = this.#heads.get(entry.document) ?? new Set<string>();
    this.#heads.set(entry.document, heads);
    if (item.kind === "fork") for (const head of item.heads) heads.add(head);
    if (entry.kind !== LOG_KINDS.change) return entry;
    for (const dep of this.changes.byHash(entry.hash)?.deps ?? []) heads.delete(dep);
    heads.add(entry.hash);
    return entry;
  }
}
