/**
 * When what the index has taken in is committed. What is not is caught up with after a crash; so commits wait for each
 * other.
 *
 * @module
 */
import type { Documents } from "../documents/documents.js";
import { idleTimers } from "../platform/idle-timers.js";
import type { CancelTimer, Timers } from "../platform/timers.js";
import type { IndexTables } from "./index-tables.js";

export interface IndexCommitsOptions {
  readonly tables: IndexTables;
  readonly documents: Documents;
  readonly timers?: Timers | undefined;
  /** So many changes are committed together. */
  readonly commitAfter?: number | undefined;
}

/** Changes, or milliseconds, until what was taken in is committed. */
const COMMIT_AFTER = 4_096;
const COMMIT_AFTER_MS = 1_000;

export class IndexCommits {
  readonly #options: IndexCommitsOptions;
  readonly #onFailure: (error: unknown) => void;
  readonly #commitAfter: number;
  #uncommitted = 0;
  #cancel: CancelTimer | undefined;
  #isClosed = false;

  /** @param onFailure - told of commits that nobody waits for */
  constructor(options: IndexCommitsOptions, onFailure: (error: unknown) => void) {
    this.#options = options;
    this.#onFailure = onFailure;
    this.#commitAfter = options.commitAfter ?? COMMIT_AFTER;
    options.documents.onDurable(() => this.#soon());
  }

  /** No commit comes after this but the last one, by the one that closes the tables. */
  close(): void {
    this.#cancel?.();
    this.#isClosed = true;
  }

  /** So many changes were taken in. */
  add(changes: number): void {
    this.#uncommitted += changes;
  }

  /** The index never keeps what a crash may take from its documents. */
  commit(): void {
    const { tables, documents } = this.#options;
    if (!documents.isDurable || this.#isClosed) return;
    tables.commit();
    this.#uncommitted = 0;
  }

  /** While many are taken in, one after the other. */
  commitMeanwhile(): void {
    const { tables, documents } = this.#options;
    if (this.#uncommitted < this.#commitAfter || !documents.isDurable) return;
    tables.commitMeanwhile();
    this.#uncommitted = 0;
  }

  #soon(): void {
    if (this.#uncommitted >= this.#commitAfter) this.#commitUnasked();
    if (this.#uncommitted === 0 || this.#isClosed || this.#cancel !== undefined) return;
    const { timers = idleTimers } = this.#options;
    this.#cancel = timers.after(COMMIT_AFTER_MS, () => {
      this.#cancel = undefined;
      this.#commitUnasked();
      this.#soon();
    });
  }

  /** Nobody waits for it who could hear that it failed: a full disk would end the program. */
  #commitUnasked(): void {
    try {
      this.commit();
    } catch (error) {
      this.#onFailure(error);
      this.#uncommitted = 0;
    }
  }
}
