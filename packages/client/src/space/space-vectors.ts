/**
 * Recall by meaning in a space: its vectors, made in the background, and the search over them.
 *
 * @module
 */
import { isCambiumError, throwIfAborted } from "@cambium/core";
import type { Embedder } from "../api/embedder.js";
import type { ProgressOptions } from "../api.js";
import type { SnapshotId } from "../index-store/snapshot-columns.js";
import type { VectorTexts } from "../index-store/vector-texts.js";
import type { ContentKey } from "../models/content-key.js";
import { SemanticSearch } from "../models/semantic-search.js";
import { VectorMaker, type VectorProgress } from "../models/vector-maker.js";
import { VectorStore } from "../models/vector-store.js";

export interface SpaceVectorsOptions {
  readonly embedder: Embedder;
  readonly path: string;
  readonly texts: VectorTexts;
  readonly onProgress: (progress: VectorProgress) => void;
}

export interface VectorsState {
  readonly model: string;
  /** Texts that have a vector. */
  readonly done: number;
  readonly total: number;
  /** Why there are no more, in a sentence. */
  readonly problem?: string;
}

/** Several wordings of one memory lie near each other; so many are fetched for each that is asked for. */
const FETCHED_PER_RESULT = 10;

export class SpaceVectors {
  readonly #texts: VectorTexts;
  readonly #store: VectorStore;
  readonly #maker: VectorMaker;
  readonly #search: SemanticSearch;
  readonly #watchers = new Set<(progress: VectorProgress) => void>();
  #isAwake = false;
  /** Texts of later forms are looked at with the next recall. */
  #lastSnapshot: SnapshotId = 0;

  private constructor({ embedder, texts, onProgress }: SpaceVectorsOptions, store: VectorStore) {
    this.#texts = texts;
    this.#store = store;
    this.#watchers.add(onProgress);
    const tellAll = (progress: VectorProgress): void => {
      for (const watcher of this.#watchers) watcher(progress);
    };
    this.#maker = new VectorMaker({ embedder, store, source: texts, onProgress: tellAll });
    this.#search = new SemanticSearch({ embedder, store });
  }

  /** @returns undefined when the file cannot be used: recall does without */
  static open(options: SpaceVectorsOptions, onNotice: (message: string) => void): SpaceVectors | undefined {
    try {
      return new SpaceVectors(options, new VectorStore({ path: options.path }));
    } catch (error) {
      if (!isCambiumError(error)) throw error;
      onNotice(`Recall does without vectors: ${error.message}`);
      return undefined;
    }
  }

  /** Makes what is missing, from now on. The index has to be in step. */
  wake(keys: Iterable<ContentKey> = []): void {
    this.#isAwake = true;
    this.#maker.wake(keys);
  }

  /** @returns forms, nearest first; undefined when there is no answer in time */
  async nearest(query: string, limit: number): Promise<readonly SnapshotId[] | undefined> {
    const { keys, last } = this.#texts.keysSince(this.#lastSnapshot);
    this.wake(this.#isAwake ? keys : []); // the first time, every text is compared with what is there
    this.#lastSnapshot = last;
    const found = await this.#search.search({ text: query, limit: limit * FETCHED_PER_RESULT });
    return found && this.#texts.snapshotsOf(found.map(({ key }) => key));
  }

  /**
   * Makes what is missing. Resolves when all is made, or when the embedder gives no answers: `state` says why.
   *
   * @throws {CambiumError} ABORTED
   */
  async makeMissing({ signal, onProgress }: ProgressOptions): Promise<void> {
    const stopped = Promise.withResolvers<void>();
    const watch = (progress: VectorProgress): void => {
      if (this.#maker.state().problem !== undefined) stopped.resolve();
      else onProgress?.({ stage: "vectors", ...progress });
    };
    const abort = (): void => stopped.resolve();
    this.#watchers.add(watch);
    signal?.addEventListener("abort", abort);
    try {
      throwIfAborted(signal);
      this.wake(this.#missing().missing);
      // Already being given time to recover: nobody waits for that.
      if (this.#maker.state().problem !== undefined) stopped.resolve();
      await Promise.race([this.#maker.idle(), stopped.promise]);
      throwIfAborted(signal);
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#watchers.delete(watch);
    }
  }

  /** Destroys the vectors of all texts that no version has any more, in memory and on disk. */
  keepOnlyKnown(): void {
    this.#store.forgetExcept(this.#texts.everyKey());
  }

  /** Looks at every text, so that it is right before anything was made, too. */
  state(): VectorsState {
    const { model, problem } = this.#maker.state();
    const { total, missing } = this.#missing();
    const why = problem ?? this.#search.problem;
    return { model, done: total - missing.length, total, ...(why === undefined ? {} : { problem: why }) };
  }

  #missing(): { readonly total: number; readonly missing: readonly ContentKey[] } {
    const keys = new Set(this.#texts.keys());
    return { total: keys.size, missing: this.#store.missing(this.#maker.state().model, keys) };
  }

  async close(): Promise<void> {
    await this.#maker.close();
    this.#search.close();
    this.#store.close();
  }
}
