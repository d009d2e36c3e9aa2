/**
 * What one commit has added to the log of a space, so that subscribers need not wait until it is read back.
 *
 * @module
 */
import { itemBody, LOG_KINDS, type LogPoint, samePoint } from "@cambium/core/wire";
import type { BatchOutcome, DocumentState, LogBatch } from "../log/space-log.js";
import type { Stretch } from "./space-feed.js";

type Taken = BatchOutcome & { readonly kind: "appended" };

export class Appended {
  /** More is read from the log, and not kept here. */
  readonly #mostBytes: number;
  readonly #documents = new Map<string, DocumentState>();
  readonly #entries: Stretch["entries"][number][] = [];
  #from: LogPoint | undefined;
  #upTo: LogPoint | undefined;
  #bytes = 0;
  #isWhole = true;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** @param sizeBytes - what the batch holds in memory */
  add({ items }: LogBatch, { positions, from, upTo, documents }: Taken, sizeBytes: number): void {
    for (const state of documents) this.#documents.set(state.document, state);
    this.#from ??= from;
    this.#bytes += sizeBytes;
    // Whoever retires a document erases bytes, perhaps of this very commit.
    this.#isWhole &&=
      this.#bytes <= this.#mostBytes &&
      (this.#upTo === undefined || samePoint(this.#upTo, from)) &&
      items.every(({ kind }) => kind !== "retire");
    this.#upTo = upTo;
    if (!this.#isWhole) return;
    let next = from.position + 1;
    for (const [index, item] of items.entries()) {
      if (positions[index] !== next) continue;
      const { document, hash } = item;
      const bytes = item.kind === "change" ? item.bytes : itemBody(item);
      this.#entries.push({ position: next, kind: LOG_KINDS[item.kind], document, hash, bytes });
      next += 1;
    }
  }

  /** As they are now, in order of their last entry. */
  get documents(): readonly DocumentState[] {
    return [...this.#documents.values()].toSorted((a, b) => a.position - b.position);
  }

  /** All entries, unless they are many. */
  get stretch(): Stretch | undefined {
    const [from, upTo] = [this.#from, this.#upTo];
    if (!this.#isWhole || from === undefined || upTo === undefined) return undefined;
    return { after: from.position, markBefore: from.mark, upTo, entries: this.#entries };
  }
}
