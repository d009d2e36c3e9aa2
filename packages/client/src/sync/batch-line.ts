/**
 * The batches of one session, numbered, and what becomes of them. Pure.
 *
 * A refusal stops the line: the relay drops what was sent after it, until a batch says that it knows. So whoever hears
 * of one counts that batch, and all that were sent since, as not sent, and composes anew.
 *
 * @module
 */

export interface SentBatch<Content> {
  readonly n: number;
  readonly content: Content;
  readonly sizeBytes: number;
}

/** So much may wait for its receipt. A relay stops reading at 64 batches or 8 MiB. */
const MAX_WAITING = 32;
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

export class BatchLine<Content> {
  #waiting: SentBatch<Content>[] = [];
  #waitingBytes = 0;
  #last = 0;
  #resume = 0;

  /** Whether another batch may be sent now. */
  get isOpen(): boolean {
    return this.#waiting.length < MAX_WAITING && this.#waitingBytes < MAX_WAITING_BYTES;
  }

  /** What was sent and has not been answered. */
  get waiting(): readonly SentBatch<Content>[] {
    return this.#waiting;
  }

  /** @returns the numbers that the batch is sent with */
  send(content: Content, sizeBytes: number): { readonly n: number; readonly resume: number } {
    const resume = this.#resume;
    this.#resume = 0;
    this.#last += 1;
    this.#waiting.push({ n: this.#last, content, sizeBytes });
    this.#waitingBytes += sizeBytes;
    return { n: this.#last, resume };
  }

  /** @returns what is in the log now; undefined when no such batch is waited for */
  receipt(n: number): Content | undefined {
    const found = this.#waiting.find((batch) => batch.n === n);
    if (found === undefined) return undefined;
    this.#keep((batch) => batch !== found);
    return found.content;
  }

  /** @returns the refused batch, and what was sent after it and is dropped with it; empty when it is not waited for */
  refuse(n: number): readonly SentBatch<Content>[] {
    if (!this.#waiting.some((batch) => batch.n === n)) return [];
    const dropped = this.#waiting.filter((batch) => batch.n >= n);
    this.#keep((batch) => batch.n < n);
    this.#resume = n;
    return dropped;
  }

  #keep(isKept: (batch: SentBatch<Content>) => boolean): void {
    this.#waiting = this.#waiting.filter(isKept);
    this.#waitingBytes = this.#waiting.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }
}
