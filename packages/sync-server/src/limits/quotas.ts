/**
 * What a space may store. How much it has is read from the log now and then; in between, what is sent is added, so
 * that the count is never too low. Before anything is refused, the log is read again.
 *
 * @module
 */
import type { ErrorCode } from "@cambium/core";
import type { SpaceUsage } from "../log/relay-log.js";

/** Between two readings for a space that is full. */
const READ_AGAIN_MS = 5_000;
/** Documents of a space that are remembered as written; after that many, they are counted again. */
const MOST_WRITTEN = 10_000;

export interface QuotaOptions {
  readonly documentsPerSpace: number;
  readonly bytesPerSpace: number;
  readonly usage: (space: string) => Promise<SpaceUsage>;
  readonly has: (space: string, documentId: string) => Promise<boolean>;
  readonly now: () => number;
}

/** Why something is not stored. */
export interface QuotaRefusal {
  readonly code: ErrorCode;
  readonly message: string;
}

interface Count {
  bytes: number;
  documents: number;
  readAt: number;
  readonly written: Set<string>;
}

export class Quotas {
  readonly #options: QuotaOptions;
  readonly #counts = new Map<string, Count>();

  constructor(options: QuotaOptions) {
    this.#options = options;
  }

  /** Asked before something is stored. @returns undefined where there is room, which it then takes */
  async refusal(space: string, documentId: string, sizeBytes: number): Promise<QuotaRefusal | undefined> {
    const { documentsPerSpace, bytesPerSpace } = this.#options;
    const count = this.#counts.get(space) ?? (await this.#read(space));
    const isFull = await this.#isFull(space, documentId, sizeBytes, count);
    if (isFull !== undefined && this.#options.now() - count.readAt >= READ_AGAIN_MS) {
      this.#counts.delete(space);
      return this.refusal(space, documentId, sizeBytes);
    }
    if (isFull === "bytes") return refused(`${bytesPerSpace} bytes`);
    if (isFull === "documents") return refused(`${documentsPerSpace} documents`);
    if (count.written.size >= MOST_WRITTEN) this.#counts.delete(space);
    count.bytes += sizeBytes;
    count.written.add(documentId);
    return undefined;
  }

  /** The space was removed, or much of it. */
  forget(space: string): void {
    this.#counts.delete(space);
  }

  async #isFull(space: string, documentId: string, sizeBytes: number, count: Count) {
    const { documentsPerSpace, bytesPerSpace, has } = this.#options;
    if (count.bytes + sizeBytes > bytesPerSpace) return "bytes";
    if (count.documents + count.written.size < documentsPerSpace || count.written.has(documentId))
      return undefined;
    return (await has(space, documentId)) ? undefined : "documents";
  }

  async #read(space: string): Promise<Count> {
    const { documents, bytes } = await this.#options.usage(space);
    const count = { documents, bytes, readAt: this.#options.now(), written: new Set<string>() };
    this.#counts.set(space, count);
    return count;
  }
}

const refused = (most: string): QuotaRefusal => ({
  code: "QUOTA_EXCEEDED",
  message: `The relay keeps at most ${most} of one space. What is there can still be read; its operator can raise the limit.`,
});
