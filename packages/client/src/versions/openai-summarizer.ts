/**
 * Sentences from any endpoint that speaks OpenAI's `POST /v1/chat/completions`: Ollama, LM Studio, vLLM, OpenAI.
 *
 * @module
 */

import type { Summarizer } from "../api/summarizer.js";
import type { Endpoint } from "../models/ask-endpoint.js";
import { askWithRetry } from "../models/ask-with-retry.js";
import { checkApiKey, endpointUrl } from "../models/endpoint-url.js";
import { backgroundTimers } from "../models/waiting.js";
import type { Timers } from "../platform/timers.js";
import { SUMMARY_WORDS, summaryQuestion } from "./chat-question.js";

/** Which endpoint to ask, for which model, and how. */
export interface OpenAiSummarizerOptions {
  /** The endpoint's address, with or without `/v1`. */
  readonly url: string;
  /** As the endpoint calls it. */
  readonly model: string;
  /** Sent as a bearer token. Default: none, as local endpoints want it. */
  readonly apiKey?: string | undefined;
  /** Per request. Default: 60 seconds. */
  readonly timeoutMs?: number | undefined;
  /** For the pauses between tries. Tests pass their own. */
  readonly timers?: Timers | undefined;
  /** Uniform in [0, 1). */
  readonly random?: (() => number) | undefined;
}

const TIMEOUT_MS = 60_000;
const MAX_RETRIES = 2;

/** @throws {CambiumError} BAD_INPUT when the address or the key is not usable */
export function openAiSummarizer(options: OpenAiSummarizerOptions): Summarizer {
  const { model, timers = backgroundTimers, random = Math.random } = options;
  const endpoint: Endpoint = {
    url: endpointUrl(options.url, "chat/completions", "summaries"),
    model,
    apiKey: options.apiKey === undefined ? undefined : checkApiKey(options.apiKey, "summaries"),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    words: SUMMARY_WORDS,
  };
  return {
    model,
    summarize: (change, { signal }) =>
      askWithRetry(endpoint, summaryQuestion(model, change), {
        ...{ maxRetries: MAX_RETRIES, timers, random, signal },
      }),
  };
}
