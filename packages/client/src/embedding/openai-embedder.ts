/**
 * Vectors from any endpoint that speaks OpenAI's `POST /v1/embeddings`: Ollama, LM Studio, vLLM, OpenAI.
 *
 * @module
 */
import { throwIfAborted } from "@cambium/core";
import { reconnectDelayMs } from "../network/backoff.js";
import type { Timers } from "../network/timers.js";
import type { Embedder, EmbedOptions } from "./embedder.js";
import { type Attempt, askEmbeddings, type EmbeddingsEndpoint } from "./embeddings-request.js";
import { checkApiKey, embeddingsUrl } from "./embeddings-url.js";
import { prefixesOf } from "./model-prefixes.js";
import { preparedText, vectorModelName } from "./prepared-text.js";
import { backgroundTimers, pause } from "./waiting.js";

export interface OpenAiEmbedderOptions {
  /** The endpoint's address, with or without `/v1`. */
  readonly url: string;
  /** As the endpoint calls it. */
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** Asks for shorter vectors than the model's own, where it can make them. */
  readonly dimensions?: number | undefined;
  /** What to put before questions and memories; what the model is known to expect, unless said. */
  readonly queryPrefix?: string | undefined;
  readonly memoryPrefix?: string | undefined;
  /** Texts per request; 32 unless said. */
  readonly batchSize?: number | undefined;
  /** Longer texts are cut, in UTF-16 units; 6,000 unless said, about what most models read at all. */
  readonly maxTextLength?: number | undefined;
  /** Per request; 30 seconds unless said. */
  readonly timeoutMs?: number | undefined;
  readonly timers?: Timers | undefined;
  /** Uniform in [0, 1). */
  readonly random?: (() => number) | undefined;
}

const BATCH_SIZE = 32;
const MAX_TEXT_LENGTH = 6_000;
const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 3;
const MAX_RETRY_AFTER_MS = 60_000;

/** @throws {CambiumError} BAD_INPUT when the address or the key is not usable */
export function openAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { model, dimensions, batchSize = BATCH_SIZE, maxTextLength = MAX_TEXT_LENGTH } = options;
  const known = prefixesOf(model);
  const prefixes = {
    query: options.queryPrefix ?? known.query,
    memory: options.memoryPrefix ?? known.memory,
  };
  const endpoint: EmbeddingsEndpoint = {
    url: embeddingsUrl(options.url),
    model,
    dimensions,
    apiKey: options.apiKey === undefined ? undefined : checkApiKey(options.apiKey),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
  };
  const patience = { timers: options.timers ?? backgroundTimers, random: options.random ?? Math.random };
  return {
    model: vectorModelName(model, { dimensions, memoryPrefix: prefixes.memory }),
    async embed(texts, { purpose, signal }) {
      const prepared = texts.map((text) => preparedText(text, { prefix: prefixes[purpose], maxTextLength }));
      const vectors: Float32Array[] = [];
      for (let start = 0; start < prepared.length; start += batchSize) {
        const batch = prepared.slice(start, start + batchSize);
        vectors.push(...(await askPatiently(endpoint, batch, { purpose, signal, ...patience })));
      }
      return vectors;
    },
  };
}

interface Patience extends EmbedOptions {
  readonly timers: Timers;
  readonly random: () => number;
}

/** Asks again when the endpoint is overloaded or in trouble; not for a query, for which somebody waits. */
async function askPatiently(
  endpoint: EmbeddingsEndpoint,
  texts: readonly string[],
  { purpose, signal, timers, random }: Patience,
): Promise<readonly Float32Array[]> {
  const maxRetries = purpose === "query" ? 0 : MAX_RETRIES;
  for (let retries = 0; ; retries += 1) {
    const attempt: Attempt = await askEmbeddings(endpoint, texts, signal);
    if (attempt.type === "vectors") return attempt.vectors;
    if (attempt.type === "refused" || retries === maxRetries) throw attempt.error;
    const delayMs = Math.max(reconnectDelayMs(retries, random), attempt.retryAfterMs ?? 0);
    await pause(timers, Math.min(delayMs, MAX_RETRY_AFTER_MS), signal);
    throwIfAborted(signal);
  }
}
