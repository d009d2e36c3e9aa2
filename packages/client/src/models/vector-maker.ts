/**
 * Makes vectors in the background: one request at a time, what was asked first first, and again what failed, until
 * every text has one. What is made is kept at once, so that a restart goes on where the last run ended.
 *
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { isCambiumError } from "@cambium/core";
import { type Embedder, isAboutTexts } from "../api/embedder.js";
import { reconnectDelayMs } from "../platform/backoff.js";
import type { Timers } from "../platform/timers.js";
import { WhileAsked } from "../platform/while-asked.js";
import type { ContentKey } from "./content-key.js";
import type { VectorStore } from "./vector-store.js";
import { backgroundTimers, pause } from "./waiting.js";

/** The texts that can be recalled. */
export interface VectorSource {
  /** Every text's key, on all branches; asked once at the start, and after vectors were lost. */
  keys(): Iterable<ContentKey>;
  /** Undefined for what has been erased or is not here; it is asked again before its vector is kept. */
  textOf(key: ContentKey): string | undefined;
}

export interface VectorProgress {
  /** Texts that have a vector by this model. */
  readonly done: number;
  readonly total: number;
}

export interface VectorState extends VectorProgress {
  readonly model: string;
  /** Texts that the embedder will not take; they are tried again after a restart. */
  readonly refused: number;
  /** Why nothing is being made at the moment, in a sentence. */
  readonly problem?: string | undefined;
}

export interface VectorMakerOptions {
  readonly embedder: Embedder;
  readonly store: VectorStore;
  readonly source: VectorSource;
  /** Texts per request. Default: 32. */
  readonly batchSize?: number | undefined;
  readonly onProgress?: ((progress: VectorProgress) => void) | undefined;
  readonly timers?: Timers | undefined;
  /** Uniform in [0, 1). */
  readonly random?: (() => number) | undefined;
}

const BATCH_SIZE = 32;
/** Keys compared with the store in one turn of the event loop. */
const KEYS_PER_TURN = 1_000;
/** Nobody waits for these requests, so they come ten times slower than attempts to reach a relay: up to 5 minutes. */
const BACKOFF_FACTOR = 10;

export class VectorMaker implements AsyncDisposable {
  readonly #options: VectorMakerOptions;
  readonly #timers: Timers;
  readonly #random: () => number;
  readonly #closing = new AbortController();
  /** In the order of asking; what fails goes to the end. */
  readonly #waiting = new Set<ContentKey>();
  readonly #refused = new Set<ContentKey>();
  #batchSize: number;
  #failures = 0;
  #problem: string | undefined;
  #comparedWith: number | undefined;
  readonly #making = new WhileAsked(() => this.#work());

  /** Does nothing before the first `wake`. */
  constructor(options: VectorMakerOptions) {
    this.#options = options;
    this.#timers = options.timers ?? backgroundTimers;
    this.#random = options.random ?? Math.random;
    this.#batchSize = this.#maxBatchSize;
  }

  /**
   * Tells of new texts. The first call, and one after vectors were lost, compares everything the source has.
   * It does not hurry an endpoint that is being given time to recover.
   */
  wake(keys: Iterable<ContentKey> = []): void {
    if (this.#closing.signal.aborted) return;
    for (const key of keys) if (!this.#refused.has(key)) this.#waiting.add(key);
    this.#making.ask();
  }

  state(): VectorState {
    const { model } = this.#options.embedder;
    return { model, ...this.#progress(), refused: this.#refused.size, problem: this.#problem };
  }

  /** Resolves when there is nothing left to do, or the maker is closed. */
  async idle(): Promise<void> {
    await this.#making.settled();
  }

  /** Stops the request under way, and resolves when nothing will be written any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.idle();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #maxBatchSize(): number {
    return this.#options.batchSize ?? BATCH_SIZE;
  }

  #report(): void {
    try {
      this.#options.onProgress?.(this.#progress());
    } catch {
      // A listener that fails must not stop what it listens to.
    }
  }

  #progress(): VectorProgress {
    const done = this.#options.store.count(this.#options.embedder.model);
    return { done, total: done + this.#waiting.size + this.#refused.size };
  }

  async #work(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#compare();
        if (this.#waiting.size === 0) return this.#finish();
        await this.#makeBatch();
        this.#failures = 0;
        this.#problem = undefined;
        this.#batchSize = Math.min(this.#batchSize * 2, this.#maxBatchSize);
        this.#report();
      } catch (error) {
        if (signal.aborted) return;
        await this.#afterFailure(error);
      }
    }
  }

  /** Queues what the source has and the store lacks, a little at a time. */
  async #compare(): Promise<void> {
    const { embedder, store, source } = this.#options;
    const begun = store.rebuildCount;
    if (this.#comparedWith === begun) return;
    const keys = [...source.keys()];
    for (let start = 0; start < keys.length; start += KEYS_PER_TURN) {
      const missing = store.missing(embedder.model, keys.slice(start, start + KEYS_PER_TURN));
      for (const key of missing) this.#waiting.add(key);
      await nextTurn();
      if (this.#closing.signal.aborted) return;
    }
    this.#comparedWith = begun;
  }

  async #makeBatch(): Promise<void> {
    const { embedder, store } = this.#options;
    const batch = this.#nextBatch();
    if (batch.length === 0) return;
    const texts = batch.map(({ text }) => text);
    const { signal } = this.#closing;
    const vectors = await embedder.embed(texts, { purpose: "memory", signal });
    if (signal.aborted) return;
    const entries = batch.flatMap(({ key }, index) => {
      const vector = vectors[index];
      return vector === undefined || this.#textToEmbed(key) === undefined ? [] : [{ key, vector }];
    });
    store.put(embedder.model, entries);
    for (const { key } of batch) this.#waiting.delete(key);
  }

  #nextBatch(): readonly { readonly key: ContentKey; readonly text: string }[] {
    const { embedder, store } = this.#options;
    const batch: { readonly key: ContentKey; readonly text: string }[] = [];
    for (const key of this.#waiting) {
      const text = store.has(embedder.model, key) ? undefined : this.#textToEmbed(key);
      if (text === undefined) this.#waiting.delete(key);
      else batch.push({ key, text });
      if (batch.length === this.#batchSize) break;
    }
    return batch;
  }

  /** Endpoints refuse empty texts, and there is nothing in them to find. */
  #textToEmbed(key: ContentKey): string | undefined {
    const text = this.#options.source.textOf(key);
    return text?.trim() ? text : undefined;
  }

  /**
   * A batch that failed goes to the end and comes again in halves, so that one text cannot hold up the others. Only
   * what may be the endpoint's trouble is waited for.
   */
  async #afterFailure(error: unknown): Promise<void> {
    const failed = [...this.#waiting].slice(0, this.#batchSize);
    for (const key of failed) {
      this.#waiting.delete(key);
      if (failed.length === 1 && isAboutTexts(error)) this.#refused.add(key);
      else this.#waiting.add(key);
    }
    this.#batchSize = Math.max(1, Math.floor(this.#batchSize / 2));
    if (isAboutTexts(error)) return;
    this.#problem = sentenceOf(error);
    this.#report();
    const delayMs = BACKOFF_FACTOR * reconnectDelayMs(this.#failures, this.#random);
    this.#failures += 1;
    await pause(this.#timers, delayMs, this.#closing.signal);
  }

  /** Until everything has a vector by this model, one may still go back to the last; then its vectors only cost. */
  #finish(): void {
    const { embedder, store } = this.#options;
    if (store.count(embedder.model) > 0) store.dropOtherModels(embedder.model);
    this.#problem = undefined;
  }
}

const sentenceOf = (error: unknown): string =>
  isCambiumError(error) ? error.message : "The vectors could not be made: something unexpected went wrong.";
