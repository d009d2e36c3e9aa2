/**
 * Asking again when an endpoint is overloaded or in trouble.
 *
 * @module
 */
import { throwIfAborted } from "@cambium/core";
import { reconnectDelayMs } from "../platform/backoff.js";
import type { Timers } from "../platform/timers.js";
import { askEndpoint, type Endpoint, type Question } from "./ask-endpoint.js";
import { pause } from "./waiting.js";

export interface RetryOptions {
  readonly maxRetries: number;
  readonly timers: Timers;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly signal: AbortSignal | undefined;
}

const MAX_RETRY_AFTER_MS = 60_000;

/** @throws {CambiumError} the endpoint's "unreachable" or "refused", ABORTED */
export async function askWithRetry<Value>(
  endpoint: Endpoint,
  question: Question<Value>,
  { maxRetries, timers, random, signal }: RetryOptions,
): Promise<Value> {
  for (let retries = 0; ; retries += 1) {
    const attempt = await askEndpoint(endpoint, question, signal);
    if (attempt.type === "answer") return attempt.value;
    if (attempt.type === "refused" || retries === maxRetries) throw attempt.error;
    const delayMs = Math.max(reconnectDelayMs(retries, random), attempt.retryAfterMs ?? 0);
    await pause(timers, Math.min(delayMs, MAX_RETRY_AFTER_MS), signal);
    throwIfAborted(signal);
  }
}
