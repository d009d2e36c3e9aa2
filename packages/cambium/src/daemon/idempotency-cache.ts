/**
 * Writes that are sent again. A call under a key runs once: those who send it meanwhile wait for the same answer,
 * and those who send it later get that answer again. What a daemon before this one has done is known from the
 * notes in the store, which say what was written, though no longer what was answered.
 *
 * @module
 */

import type { Progress } from "@cambium/client";
import { CambiumError } from "@cambium/core";

/** What runs, no matter who waits for it. */
export interface Work {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** Somebody who waits. */
export interface Waiter {
  readonly signal: AbortSignal;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** An answer as JSON, and what it is good for. */
export interface Answer {
  readonly json: string;
  /** Whether it still may be given: nothing was erased or concealed since that it could quote. Default: it may. */
  readonly isGood?: () => Promise<boolean>;
}

interface Entry {
  readonly fingerprint: string;
  readonly answer: Promise<Answer>;
  readonly waiters: Set<Waiter>;
  readonly stop: AbortController;
  /** Once answered. */
  sizeBytes?: number;
}

const MOST_ANSWERS = 1_000;
const MOST_BYTES = 8_000_000;

export class IdempotencyCache {
  /** In the order in which they began. */
  readonly #entries = new Map<string, Entry>();
  #sizeBytes = 0;

  /**
   * @param readAgain - in the place of an answer that is not good any more; undefined: it cannot be read again
   * @throws {CambiumError} REQUEST_KEY_REUSED when the key stands for another call; ALREADY_DONE; whatever the call
   *   throws
   */
  async answer(
    { key, fingerprint }: { readonly key: string; readonly fingerprint: string },
    waiter: Waiter,
    run: (work: Work) => Promise<Answer>,
    readAgain: () => Promise<string | undefined> = async () => undefined,
  ): Promise<string> {
    const known = this.#entries.get(key);
    if (known === undefined || known.stop.signal.aborted) {
      return (await this.#wait(this.#begin(key, fingerprint, run), waiter)).json;
    }
    if (known.fingerprint !== fingerprint) throw reusedKey();
    const { json, isGood } = await this.#wait(known, waiter);
    if (isGood === undefined || (await isGood())) return json;
    const now = await readAgain();
    if (now === undefined) throw answerNotKept();
    return now;
  }

  #begin(key: string, fingerprint: string, run: (work: Work) => Promise<Answer>): Entry {
    const waiters = new Set<Waiter>();
    const stop = new AbortController();
    const onProgress = (progress: Progress): void => {
      for (const waiter of waiters) waiter.onProgress?.(progress);
    };
    const answer = run({ signal: stop.signal, onProgress });
    const entry: Entry = { fingerprint, answer, waiters, stop };
    this.#entries.set(key, entry);
    answer.then(
      ({ json }) => this.#keep(key, entry, Buffer.byteLength(json)),
      // Nothing was written: sent again, the call is made again.
      () => this.#drop(key, entry),
    );
    return entry;
  }

  /** The work is stopped when everyone who waited for it has left. */
  async #wait(entry: Entry, waiter: Waiter): Promise<Answer> {
    entry.waiters.add(waiter);
    const leave = (): void => {
      entry.waiters.delete(waiter);
      if (entry.waiters.size === 0 && entry.sizeBytes === undefined) entry.stop.abort(waiter.signal.reason);
    };
    waiter.signal.addEventListener("abort", leave, { once: true });
    try {
      return await entry.answer;
    } finally {
      entry.waiters.delete(waiter);
      waiter.signal.removeEventListener("abort", leave);
    }
  }

  #keep(key: string, entry: Entry, sizeBytes: number): void {
    entry.sizeBytes = sizeBytes;
    if (this.#entries.get(key) !== entry) return;
    this.#sizeBytes += sizeBytes;
    for (const [oldest, { sizeBytes: size }] of this.#entries) {
      if (this.#entries.size <= MOST_ANSWERS && this.#sizeBytes <= MOST_BYTES) return;
      if (size === undefined) continue; // still under way
      this.#entries.delete(oldest);
      this.#sizeBytes -= size;
    }
  }

  #drop(key: string, entry: Entry): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}

/** Of a call that was made, and whose answer may quote what was erased or concealed since. */
const answerNotKept = (): CambiumError =>
  new CambiumError("ALREADY_DONE", "This call was made already. Its answer was not kept.", {
    hint: "`cambium log` shows what was written.",
  });

const reusedKey = (): CambiumError =>
  new CambiumError("REQUEST_KEY_REUSED", "This key was given to another call; nothing was written.", {
    hint: "Send the call again under a new key.",
  });
