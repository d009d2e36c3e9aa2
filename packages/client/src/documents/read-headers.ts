/**
 * The headers of the documents of packs, as they were read. An erasure asks for all of them several times, the preview
 * before it included, and reading them takes seconds: those of a document that has not changed are kept for a minute.
 *
 * @module
 */
import type { DocumentId } from "@cambium/core";
import type { CancelTimer, Timers } from "../platform/timers.js";

interface Read<Header> {
  /** The document as it was read. */
  readonly heads: string;
  readonly headers: readonly Header[];
}

/** As long as somebody looks at a preview, and no longer: they take room. */
const KEPT_MS = 60_000;

export class ReadHeaders<Header> {
  readonly #timers: Timers;
  readonly #headsOf: (document: DocumentId) => readonly string[];
  readonly #read = new Map<DocumentId, Read<Header>>();
  #cancel: CancelTimer | undefined;

  constructor(timers: Timers, headsOf: (document: DocumentId) => readonly string[]) {
    this.#timers = timers;
    this.#headsOf = headsOf;
  }

  /** @param read - what it gives is kept unless it says that something of it may be read later */
  async of(
    document: DocumentId,
    read: () => Promise<{ readonly headers: readonly Header[]; readonly isWhole: boolean }>,
  ): Promise<readonly Header[]> {
    this.#keepOn();
    const heads = this.#headsOf(document).join();
    const known = this.#read.get(document);
    if (known?.heads === heads) return known.headers;
    const { headers, isWhole } = await read();
    // It may have grown while it was read.
    const isSame = this.#headsOf(document).join() === heads;
    if (isWhole && isSame) this.#read.set(document, { heads, headers });
    else this.#read.delete(document);
    return headers;
  }

  #keepOn(): void {
    this.#cancel?.();
    this.#cancel = this.#timers.after(KEPT_MS, () => this.#read.clear());
  }
}
