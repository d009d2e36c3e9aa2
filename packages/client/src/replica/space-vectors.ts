/**
 * Recall by meaning in a space: its vectors, made in the background, and the search over them.
 *
 * @module
 */
import { isCambiumError } from "@cambium/core";
import type { ContentKey } from "../embedding/content-key.js";
import type { Embedder } from "../embedding/embedder.js";
import { SemanticSearch } from "../embedding/semantic-search.js";
import { VectorMaker } from "../embedding/vector-maker.js";
import { VectorStore } from "../embedding/vector-store.js";
import type { FormId } from "../index-store/form-store.js";
import type { VectorTexts } from "../index-store/vector-texts.js";

export interface SpaceVectorsOptions {
  readonly embedder: Embedder;
  readonly path: string;
  readonly texts: VectorTexts;
  readonly onProgress: () => void;
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
  #isAwake = false;

  private constructor({ embedder, texts, onProgress }: SpaceVectorsOptions, store: VectorStore) {
    this.#texts = texts;
    this.#store = store;
    this.#maker = new VectorMaker({ embedder, store, source: texts, onProgress });
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
  async nearest(query: string, limit: number): Promise<readonly FormId[] | undefined> {
    if (!this.#isAwake) this.wake();
    const found = await this.#search.search({ text: query, limit: limit * FETCHED_PER_RESULT });
    return found && this.#texts.formsOf(found.map(({ key }) => key));
  }

  /** Resolves when nothing is left to make, or the embedder gives no answers. */
  idle(): Promise<void> {
    return this.#maker.idle();
  }

  state(): VectorsState {
    const { model, done, total, problem } = this.#maker.state();
    const why = problem ?? this.#search.problem;
    return { model, done, total, ...(why === undefined ? {} : { problem: why }) };
  }

  async close(): Promise<void> {
    await this.#maker.close();
    this.#search.close();
    this.#store.close();
  }
}
