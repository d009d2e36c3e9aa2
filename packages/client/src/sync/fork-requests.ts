/**
 * Forks asked of the relay and not yet answered.
 *
 * @module
 */
import { CambiumError, ERROR_CODES, type ErrorCode } from "@cambium/core";
import type { CancelTimer, Timers } from "../platform/timers.js";

export const FORK_TIMEOUT_MS = 30_000;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (reason: CambiumError) => void;
  readonly cancelTimer: CancelTimer;
}

export class ForkRequests {
  readonly #timers: Timers;
  readonly #waitingById = new Map<string, Set<Waiting>>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Resolves when the relay has made the document; rejects with its refusal, or TIMED_OUT. */
  wait(documentId: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const cancelTimer = this.#timers.after(FORK_TIMEOUT_MS, () => {
      all.delete(waiting);
      reject(new CambiumError("TIMED_OUT", "The relay did not answer a request to fork a document."));
    });
    const waiting: Waiting = { resolve, reject, cancelTimer };
    const all = this.#waitingById.get(documentId) ?? new Set();
    this.#waitingById.set(documentId, all.add(waiting));
    return promise;
  }

  done(documentId: string): void {
    for (const { resolve } of this.#take(documentId)) resolve();
  }

  refuse(documentId: string, { code, message }: { readonly code: string; readonly message: string }): void {
    for (const { reject } of this.#take(documentId)) reject(new CambiumError(knownCode(code), message));
  }

  failAll(reason: CambiumError): void {
    for (const documentId of [...this.#waitingById.keys()]) {
      for (const { reject } of this.#take(documentId)) reject(reason);
    }
  }

  #take(documentId: string): Iterable<Waiting> {
    const all = this.#waitingById.get(documentId) ?? new Set<Waiting>();
    this.#waitingById.delete(documentId);
    for (const { cancelTimer } of all) cancelTimer();
    return all;
  }
}

/** A code from a later relay says only that the two do not understand each other. */
const knownCode = (code: string): ErrorCode =>
  Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : "RELAY_PROTOCOL";
