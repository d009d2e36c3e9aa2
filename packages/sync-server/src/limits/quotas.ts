/**
 * What a space may store. How much it has is read from the log now and then; in between, what is sent is added, so
 * that the count is never too low. Before anything is refused, the log is read again.
 *
 * @module
 */
import type { ErrorCode } from "@cambium/core";
import type { SpaceQuotas, SpaceUsage } from "../log/relay-log.js";
import { neverBack } from "../timers.js";

/** Between two readings for a space that is full. */
const READ_AGAIN_MS = 5_000;
/** What was let through so lately may not be stored yet: a reading of the log does not know it. */
const UNDER_WAY_MS = 2_000;
/** A space that nobody has written to for so long is counted again when somebody does. */
const IDLE_MS = 600_000;
/** Documents of a space that are remembered as written; after that many, they are counted again. */
const MOST_WRITTEN = 10_000;

export interface QuotaOptions {
  readonly documentsPerSpace: number;
  readonly bytesPerSpace: number;
  readonly usage: (space: string) => Promise<SpaceUsage>;
  readonly has: (space: string, document: string) => Promise<boolean>;
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
  /** What was let through lately, oldest first. */
  underWay: { readonly document: string; readonly sizeBytes: number; readonly at: number }[];
}

export class Quotas {
  readonly #options: QuotaOptions;
  readonly #counts = new Map<string, Count>();
  readonly #readings = new Map<string, Promise<Count>>();
  #lookedAt = 0;

  constructor(options: QuotaOptions) {
    // Else a space that was full when the clock was set back would be full until that time comes again.
    this.#options = { ...options, now: neverBack(options.now) };
  }

  /**
   * Asked before something is stored.
   *
   * @param makesRoom - what takes the place of something larger comes before that is erased
   * @returns undefined where there is room, which it then takes
   */
  async refusal(
    space: string,
    document: string,
    sizeBytes: number,
    makesRoom = false,
  ): Promise<QuotaRefusal | undefined> {
    const { documentsPerSpace, bytesPerSpace, has, now } = this.#options;
    this.#forgetIdle();
    const first = this.#counts.get(space) ?? (await this.#read(space));
    const mayBeMore = this.#isFull(first, document, 0, makesRoom) === "documents";
    const isOld = mayBeMore && (await has(space, document));
    // As it is now: others were let through meanwhile.
    const count = this.#counts.get(space) ?? first;
    const isFull = this.#isFull(count, isOld ? undefined : document, sizeBytes, makesRoom);
    if (isFull !== undefined && now() - count.readAt >= READ_AGAIN_MS) {
      await this.#read(space);
      return this.refusal(space, document, sizeBytes, makesRoom);
    }
    if (isFull === "bytes") return refused(`${bytesPerSpace} bytes`);
    if (isFull === "documents") return refused(`${documentsPerSpace} documents`);
    this.#take(count, document, sizeBytes);
    if (count.written.size >= MOST_WRITTEN) await this.#read(space);
    return undefined;
  }

  /** The space was removed, or much of it. */
  forget(space: string): void {
    this.#counts.delete(space);
  }

  #forgetIdle(): void {
    const at = this.#options.now();
    if (at - this.#lookedAt < IDLE_MS) return;
    this.#lookedAt = at;
    for (const [space, { readAt, underWay }] of this.#counts)
      if (at - Math.max(readAt, underWay.at(-1)?.at ?? 0) >= IDLE_MS) this.#counts.delete(space);
  }

  /** @param document - undefined for one that the log has */
  #isFull(count: Count, document: string | undefined, sizeBytes: number, makesRoom: boolean) {
    const { documents, bytes } = mostOf(this.#options, makesRoom);
    if (count.bytes + sizeBytes > bytes) return "bytes";
    if (document === undefined || count.written.has(document)) return undefined;
    return count.documents + count.written.size < documents ? undefined : "documents";
  }

  #take(count: Count, document: string, sizeBytes: number): void {
    const at = this.#options.now();
    count.bytes += sizeBytes;
    count.written.add(document);
    // Seldom, so that each message costs little.
    const [oldest] = count.underWay;
    if (oldest !== undefined && at - oldest.at >= 2 * UNDER_WAY_MS)
      count.underWay = count.underWay.filter((one) => at - one.at < UNDER_WAY_MS);
    count.underWay.push({ document, sizeBytes, at });
  }

  /** One reading at a time: what is let through while the log is read must not be lost. */
  #read(space: string): Promise<Count> {
    const under = this.#readings.get(space);
    if (under !== undefined) return under;
    const reading = this.#count(space).finally(() => this.#readings.delete(space));
    this.#readings.set(space, reading);
    return reading;
  }

  async #count(space: string): Promise<Count> {
    const { usage, has, now } = this.#options;
    const readAt = now();
    const { documents, bytes } = await usage(space);
    // Of what was let through before and meanwhile, the log may know nothing yet.
    const lately = () =>
      (this.#counts.get(space)?.underWay ?? []).filter(({ at }) => readAt - at < UNDER_WAY_MS);
    const stored = new Set<string>();
    for (const { document } of lately()) if (await has(space, document)) stored.add(document);
    const underWay = lately();
    const written = new Set(underWay.map(({ document }) => document).filter((id) => !stored.has(id)));
    const underWayBytes = underWay.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const count = { documents, bytes: bytes + underWayBytes, readAt: now(), written, underWay };
    this.#counts.set(space, count);
    return count;
  }
}

/**
 * So much more than its quota a space may have while something in it is erased: what is kept of a document is stored
 * anew before the document goes.
 */
export const OVER_QUOTA_PERCENT = 25;
/** Of a small quota, as much as an erasure of one document takes. */
const LEAST_OVER = { bytes: 4 * 2 ** 20, documents: 16 };

/** @param makesRoom - something in it is erased next */
export function mostOf(
  { bytesPerSpace, documentsPerSpace }: SpaceQuotas,
  makesRoom: boolean,
): { readonly bytes: number; readonly documents: number } {
  if (!makesRoom) return { bytes: bytesPerSpace, documents: documentsPerSpace };
  const over = (most: number, least: number): number =>
    most + Math.max(least, (most * OVER_QUOTA_PERCENT) / 100);
  return {
    bytes: over(bytesPerSpace, LEAST_OVER.bytes),
    documents: over(documentsPerSpace, LEAST_OVER.documents),
  };
}

const refused = (most: string): QuotaRefusal => ({ code: "QUOTA_EXCEEDED", message: fullMessage(most) });

/** @param most - with its unit */
export const fullMessage = (most: string): string =>
  `The relay keeps at most ${most} of one space. What is there can still be read; its operator can raise the limit.`;
