/**
 * Recall by meaning, for ranking: an answer in time, or none. It never fails a recall.
 *
 * @module
 */
import { CambiumError, isCambiumError } from "@cambium/core";
import type { Embedder } from "../api/embedder.js";
import type { Timers } from "../platform/timers.js";
import type { ContentKey } from "./content-key.js";
import type { Nearest } from "./top-list.js";
import type { VectorStore } from "./vector-store.js";
import { backgroundTimers, pause } from "./waiting.js";

export interface SemanticSearchOptions {
  readonly embedder: Embedder;
  readonly store: VectorStore;
  /** How long a recall waits for its query's vector. Default: 1.5 seconds. */
  readonly timeoutMs?: number | undefined;
  /** How long the embedder is left alone after it failed or was slow. Default: 30 seconds. */
  readonly restMs?: number | undefined;
  /** Milliseconds of any clock that only goes forward. */
  readonly now?: (() => number) | undefined;
  readonly timers?: Timers | undefined;
}

export interface SemanticQuestion {
  readonly text: string;
  /** Compares these only; everything that has a vector, if undefined. */
  readonly candidates?: Iterable<ContentKey> | undefined;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
  /** Other than the usual. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 1_500;
const REST_MS = 30_000;
const MAX_CACHED = 64;

export class SemanticSearch implements Disposable {
  readonly #embedder: Embedder;
  readonly #store: VectorStore;
  readonly #timeoutMs: number;
  readonly #restMs: number;
  readonly #now: () => number;
  readonly #timers: Timers;
  readonly #closing = new AbortController();
  /** Of the last queries, the oldest first. */
  readonly #vectorByText = new Map<string, Float32Array>();
  readonly #askedByText = new Map<string, Promise<Float32Array | undefined>>();
  #problem: string | undefined;
  #restsUntilMs = Number.NEGATIVE_INFINITY;
  #lateInARow = 0;

  constructor(options: SemanticSearchOptions) {
    this.#embedder = options.embedder;
    this.#store = options.store;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#restMs = options.restMs ?? REST_MS;
    this.#now = options.now ?? (() => performance.now());
    this.#timers = options.timers ?? backgroundTimers;
  }

  /** Why the last search had no answer, in a sentence; undefined when it had one. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Returns the nearest texts, nearest first, or undefined when there is no answer in time: the embedder is down or
   * slow, nothing has a vector yet, or the caller has had enough. Never throws.
   */
  async search(question: SemanticQuestion): Promise<readonly Nearest[] | undefined> {
    const { text, candidates, limit, signal } = question;
    if (text.trim() === "" || signal?.aborted || this.#closing.signal.aborted) return undefined;
    const { model } = this.#embedder;
    try {
      if (this.#store.count(model) === 0) return this.#fail("No memory has a vector yet.");
      const query = await this.#queryVector(question);
      if (query === undefined) return undefined;
      const nearest = this.#store.nearest({ model, query, candidates, limit });
      this.#problem = undefined;
      return nearest;
    } catch (error) {
      return this.#fail(sentenceOf(error));
    }
  }

  /** Stops what is being asked; every later search has no answer. */
  close(): void {
    this.#closing.abort();
    this.#vectorByText.clear();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #queryVector({ text, signal, timeoutMs }: SemanticQuestion): Promise<Float32Array | undefined> {
    const cached = this.#vectorByText.get(text);
    if (cached !== undefined) {
      this.#remember(text, cached);
      return cached;
    }
    if (this.#now() < this.#restsUntilMs) return undefined; // the problem still stands as it was said
    const budget = new AbortController();
    const limits = [budget.signal, this.#closing.signal, ...(signal === undefined ? [] : [signal])];
    const isLate = pause(this.#timers, timeoutMs ?? this.#timeoutMs, AbortSignal.any(limits)).then(
      () => "late",
    );
    const first = await Promise.race([this.#ask(text), isLate]);
    budget.abort();
    if (first instanceof Float32Array) {
      this.#lateInARow = 0;
      return first;
    }
    if (first === "late" && signal?.aborted !== true) {
      this.#lateInARow += 1;
      this.#rest("The embedder did not answer in time.");
    }
    return undefined;
  }

  /**
   * Asks once for a text, however many want it. A late answer still comes: a model that had to be loaded first is
   * then there for the next query, and this one's vector too.
   */
  #ask(text: string): Promise<Float32Array | undefined> {
    const asked = this.#askedByText.get(text) ?? this.#embed(text);
    this.#askedByText.set(text, asked);
    return asked;
  }

  async #embed(text: string): Promise<Float32Array | undefined> {
    try {
      const { signal } = this.#closing;
      const [vector] = await this.#embedder.embed([text], { purpose: "query", signal });
      if (vector === undefined) throw new CambiumError("EMBEDDER_REFUSED", "The embedder gave no vector.");
      this.#remember(text, vector);
      // A model that had to be loaded is late once; one that has too much to do, again and again.
      if (this.#lateInARow <= 1) this.#restsUntilMs = Number.NEGATIVE_INFINITY;
      return vector;
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#rest(sentenceOf(error));
      return undefined;
    } finally {
      this.#askedByText.delete(text);
    }
  }

  #remember(text: string, vector: Float32Array): void {
    this.#vectorByText.delete(text);
    this.#vectorByText.set(text, vector);
    const [oldest] = this.#vectorByText.keys();
    if (this.#vectorByText.size > MAX_CACHED && oldest !== undefined) this.#vectorByText.delete(oldest);
  }

  /** Else every recall would wait as long, for nothing. */
  #rest(problem: string): void {
    this.#restsUntilMs = this.#now() + this.#restMs;
    this.#problem = problem;
  }

  #fail(problem: string): undefined {
    this.#problem = problem;
  }
}

const sentenceOf = (error: unknown): string =>
  isCambiumError(error) ? error.message : "The search by meaning failed in an unexpected way.";
