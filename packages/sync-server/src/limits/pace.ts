/**
 * How fast a token may send, for long. Bursts of some seconds pass; what is more waits in the client's own socket, so
 * nothing is lost.
 *
 * @module
 */

import { CambiumError } from "@cambium/core";

/** What may come at once after a pause: a first upload is in few messages, but long ones. */
const BURST_SECONDS = 10;
/** What one look at a socket may bring. */
const READ_BYTES = 64 * 1024;

export interface PaceOptions {
  readonly messagesPerSecond: number;
  readonly bytesPerSecond: number;
  readonly now: () => number;
}

/** The pace of one token. Both say how many milliseconds it has to wait. */
export interface TokenPace {
  spend(sizeBytes: number): number;
  resume(): number;
}

/** One bucket for each token, emptied by what it sends and filled by time. */
export class Pace {
  readonly #options: PaceOptions;
  readonly #buckets = new Map<string, { seconds: number; at: number }>();

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  of(tokenId: string): TokenPace {
    return { spend: (sizeBytes) => this.spend(tokenId, sizeBytes), resume: () => this.resume(tokenId) };
  }

  /** @returns how many milliseconds the sender has to wait before the next message; 0 as long as it keeps the pace */
  spend(tokenId: string, sizeBytes: number): number {
    const nowMs = this.#options.now();
    const bucket = this.#buckets.get(tokenId) ?? { seconds: BURST_SECONDS, at: nowMs };
    // A clock that was set back gives nothing, and takes nothing.
    const passed = Math.max(0, nowMs - bucket.at) / 1_000;
    const seconds = Math.min(BURST_SECONDS, bucket.seconds + passed) - this.#cost(sizeBytes);
    this.#buckets.set(tokenId, { seconds, at: nowMs });
    return seconds >= 0 ? 0 : Math.ceil(-seconds * 1_000);
  }

  /**
   * Whether a sender who had to wait may go on. That is paid for with what one look at its socket may bring: of many
   * sockets with one pace, one is read, and the others see what it has brought.
   *
   * @returns how many milliseconds it still has to wait
   */
  resume(tokenId: string): number {
    const { now } = this.#options;
    const bucket = this.#buckets.get(tokenId);
    const left = bucket === undefined ? 0 : -bucket.seconds * 1_000 - Math.max(0, now() - bucket.at);
    if (left > 0) return Math.ceil(left);
    this.spend(tokenId, READ_BYTES);
    return 0;
  }

  /** @returns false, with nothing spent, where the sender would have to wait */
  takes(tokenId: string, sizeBytes: number): boolean {
    const bucket = this.#buckets.get(tokenId);
    const passed = bucket === undefined ? 0 : Math.max(0, this.#options.now() - bucket.at) / 1_000;
    const isSpent = bucket !== undefined && bucket.seconds + passed < this.#cost(sizeBytes);
    if (!isSpent) this.spend(tokenId, sizeBytes);
    return !isSpent;
  }

  #cost(sizeBytes: number): number {
    const { messagesPerSecond, bytesPerSecond } = this.#options;
    return Math.max(1 / messagesPerSecond, sizeBytes / bytesPerSecond);
  }

  /**
   * Takes what cannot wait, or refuses it.
   *
   * @throws {CambiumError} RATE_LIMITED, and nothing is spent
   */
  require(tokenId: string, costBytes: number): void {
    if (this.takes(tokenId, costBytes)) return;
    throw new CambiumError("RATE_LIMITED", "Too much came with this token in a short time.", {
      hint: "Try again in a few seconds.",
    });
  }

  /** The token has no connection any more. A bucket that is not full is kept: a new connection is no new start. */
  forgetFull(): void {
    const nowMs = this.#options.now();
    for (const [tokenId, { seconds, at }] of this.#buckets) {
      if (seconds + (nowMs - at) / 1_000 >= BURST_SECONDS) this.#buckets.delete(tokenId);
    }
  }
}
