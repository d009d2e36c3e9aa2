/**
 * What short sessions noted and left for later ones to write: for a session that only reads, loading its
 * uses document would take longer than all it was asked.
 *
 * @module
 */
import { addUsage, type MemoryId, type Usage } from "@cambium/core";

/** Keeps notes between sessions. Derived from nothing: what is lost was not counted. */
export interface CarriedUsageStore {
  readCarried(): CarriedUsage | undefined;
  /** Takes the place of what was there; undefined removes it. */
  writeCarried(carried: CarriedUsage | undefined): void;
}

export interface CarriedUsage {
  /** Of the documents they are to be written into: once those have moved on, they are written. */
  readonly heads: string;
  /** When the oldest was noted, in milliseconds since 1970. */
  readonly since: number;
  readonly uses: ReadonlyMap<MemoryId, Usage>;
}

/** A lost index loses no more than what was noted in so long. */
const LONGEST_MS = 86_400_000;

export interface CarriedNotesOptions {
  readonly store: CarriedUsageStore | undefined;
  /** Heads of this replica's own uses documents, whether they are loaded or not. */
  readonly heads: () => string;
  readonly now: () => number;
}

export class CarriedNotes {
  readonly #options: CarriedNotesOptions;
  #found: CarriedUsage | undefined;
  #isRead = false;

  constructor(options: CarriedNotesOptions) {
    this.#options = options;
  }

  /** What earlier sessions noted and nobody has written yet. Read at the first call. */
  get uses(): ReadonlyMap<MemoryId, Usage> {
    return this.#carried?.uses ?? NOTHING;
  }

  get #carried(): CarriedUsage | undefined {
    if (!this.#isRead) {
      this.#isRead = true;
      const found = this.#options.store?.readCarried();
      if (found?.heads === this.#options.heads()) this.#found = found;
    }
    return this.#found;
  }

  /** Adds notes of this session. False: they have to be written instead. */
  add(noted: ReadonlyMap<MemoryId, Usage>): boolean {
    const { store, heads, now } = this.#options;
    const since = this.#carried?.since ?? now();
    if (store === undefined || now() - since >= LONGEST_MS) return false;
    const uses = new Map(this.uses);
    for (const [id, more] of noted) uses.set(id, addUsage(uses.get(id), more));
    this.#found = { heads: heads(), since, uses };
    store.writeCarried(this.#found);
    return true;
  }

  /** They are in a document now. */
  clear(): void {
    if (this.#carried === undefined) return;
    this.#found = undefined;
    this.#options.store?.writeCarried(undefined);
  }
}

const NOTHING: ReadonlyMap<MemoryId, Usage> = new Map();
