/**
 * Vectors from any endpoint that speaks OpenAI's `POST /v1/embeddings`: Ollama, LM Studio, vLLM, OpenAI.
 *
 * @module
 */

import type { Embedder } from "../api/embedder.js";
import type { Timers } from "../platform/timers.js";
import type { Endpoint } from "./ask-endpoint.js";
import { askWithRetry } from "./ask-with-retry.js";
import { EMBEDDING_WORDS, embeddingsQuestion } from "./embeddings-request.js";
import { checkApiKey, endpointUrl } from "./endpoint-url.js";
import { prefixesOf } from "./model-prefixes.js";
import { preparedText, vectorModelName } from "./prepared-text.js";
import { backgroundTimers } from "./waiting.js";

/** Which endpoint to ask, for which model, and how. */
export interface OpenAiEmbedderOptions {
  /** The endpoint's address, with or without `/v1`. */
  readonly url: string;
  /** As the endpoint calls it. */
  readonly model: string;
  /** Sent as a bearer token. Default: none, as local endpoints want it. */
  readonly apiKey?: string | undefined;
  /** Asks for shorter vectors than the model's own, where it can make them. */
  readonly dimensions?: number | undefined;
  /** What to put before questions and memories. Default: what the model is known to expect. */
  readonly queryPrefix?: string | undefined;
  /** See `queryPrefix`. */
  readonly memoryPrefix?: string | undefined;
  /** Texts per request. Default: 32. */
  readonly batchSize?: number | undefined;
  /** Longer texts are cut, in UTF-16 units. Default: 6,000, about what most models read at all. */
  readonly maxTextLength?: number | undefined;
  /** Per request. Default: 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** For the pauses between tries. Tests pass their own. */
  readonly timers?: Timers | undefined;
  /** Uniform in [0, 1). */
  readonly random?: (() => number) | undefined;
}

const BATCH_SIZE = 32;
const MAX_TEXT_LENGTH = 6_000;
const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 3;

/** @throws {CambiumError} BAD_INPUT when the address or the key is not usable */
export function openAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { model, dimensions, batchSize = BATCH_SIZE, maxTextLength = MAX_TEXT_LENGTH } = options;
  const known = prefixesOf(model);
  const prefixes = {
    query: options.queryPrefix ?? known.query,
    memory: options.memoryPrefix ?? known.memory,
  };
  const endpoint: Endpoint = {
    url: endpointUrl(options.url, "embeddings", "embeddings"),
    model,
    apiKey: options.apiKey === undefined ? undefined : checkApiKey(options.apiKey, "embeddings"),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    words: EMBEDDING_WORDS,
  };
  const retryOptions = { timers: options.timers ?? backgroundTimers, random: options.random ?? Math.random };
  return {
    model: vectorModelName(model, { dimensions, memoryPrefix: prefixes.memory }),
    async embed(texts, { purpose, signal }) {
      const prepared = texts.map((text) => preparedText(text, { prefix: prefixes[purpose], maxTextLength }));
      const maxRetries = purpose === "query" ? 0 : MAX_RETRIES; // for a query, somebody waits
      const vectors: Float32Array[] = [];
      for (let start = 0; start < prepared.length; start += batchSize) {
        const batch = prepared.slice(start, start + batchSize);
        const question = embeddingsQuestion({ model, dimensions }, batch);
        vectors.push(...(await askWithRetry(endpoint, question, { maxRetries, signal, ...retryOptions })));
      }
      return vectors;
    },
  };
}
