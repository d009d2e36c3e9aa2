/**
 * One request to an embeddings endpoint, and what its answer means.
 *
 * @module
 */
import { CambiumError, throwIfAborted } from "@cambium/core";
import * as z from "zod";

export interface EmbeddingsEndpoint {
  /** As `embeddingsUrl` gives it. */
  readonly url: string;
  readonly model: string;
  readonly dimensions: number | undefined;
  readonly apiKey: string | undefined;
  readonly timeoutMs: number;
}

export type Attempt =
  | { readonly type: "vectors"; readonly vectors: readonly Float32Array[] }
  /** The endpoint lives, and asks for patience or has trouble of its own. */
  | { readonly type: "later"; readonly error: CambiumError; readonly retryAfterMs: number | undefined }
  | { readonly type: "refused"; readonly error: CambiumError };

/** Far more numbers than any model gives. */
const MAX_DIMENSIONS = 16_384;
const MAX_QUOTED_LENGTH = 200;

const answerSchema = z.object({
  data: z.array(
    z.object({
      index: z.number().int().nonnegative(),
      embedding: z.array(z.number()).min(1).max(MAX_DIMENSIONS),
    }),
  ),
});

/** OpenAI's shape, and the plain one of some servers. */
const complaintSchema = z
  .union([z.object({ error: z.object({ message: z.string() }) }), z.object({ error: z.string() })])
  .transform(({ error }) => (typeof error === "string" ? error : error.message));

/** @throws {CambiumError} EMBEDDER_UNREACHABLE when there is no whole answer in time, ABORTED */
export async function askEmbeddings(
  endpoint: EmbeddingsEndpoint,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  const timeout = AbortSignal.timeout(endpoint.timeoutMs);
  let status: number;
  let retryAfter: string | null;
  let body: string;
  try {
    // A redirect could carry the key, and the texts, to another host.
    const response = await fetch(endpoint.url, {
      ...requestOf(endpoint, texts),
      redirect: "error",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    status = response.status;
    retryAfter = response.headers.get("retry-after");
    body = await response.text();
  } catch (cause) {
    throwIfAborted(signal);
    throw unreachable(endpoint, timeout.aborted ? "did not answer in time" : "cannot be reached", { cause });
  }
  if (status === 429 || status >= 500) {
    const error = unreachable(endpoint, `cannot answer now (${status})`, { details: { status } });
    return { type: "later", error, retryAfterMs: secondsToMs(retryAfter) };
  }
  if (status < 200 || status >= 300) return { type: "refused", error: refusal(endpoint, status, body) };
  const vectors = readVectors(parseJson(body), texts.length);
  return vectors === undefined
    ? { type: "refused", error: notUnderstood(endpoint) }
    : { type: "vectors", vectors };
}

function requestOf({ model, dimensions, apiKey }: EmbeddingsEndpoint, input: readonly string[]): RequestInit {
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, input, encoding_format: "float", dimensions }),
  };
}

/** Returns undefined unless there is one vector for each text, all finite and of one length. */
function readVectors(body: unknown, expected: number): readonly Float32Array[] | undefined {
  const answer = answerSchema.safeParse(body);
  if (!answer.success) return undefined;
  const inOrder = answer.data.data.toSorted((a, b) => a.index - b.index);
  const vectors = inOrder.map(({ embedding }) => Float32Array.from(embedding));
  const isWhole =
    vectors.length === expected &&
    inOrder.every(({ index }, position) => index === position) &&
    vectors.every((vector) => vector.length === vectors[0]?.length && vector.every(Number.isFinite));
  return isWhole ? vectors : undefined;
}

function refusal(endpoint: EmbeddingsEndpoint, status: number, body: string): CambiumError {
  const at = hostOf(endpoint);
  const details = { status };
  if (status === 401 || status === 403) {
    const message = `The embedding endpoint at ${at} does not accept the key.`;
    return new CambiumError("EMBEDDER_REFUSED", message, { hint: "Check CAMBIUM_EMBEDDINGS_KEY.", details });
  }
  if (status === 404) {
    const message = `The endpoint at ${at} knows no model ${endpoint.model}, or makes no embeddings.`;
    return new CambiumError("EMBEDDER_REFUSED", message, {
      hint: "Check the address and the model's name; with Ollama, pull the model first.",
      details,
    });
  }
  const complaint = complaintSchema.safeParse(parseJson(body));
  const said = complaint.success ? `: ${withoutKey(complaint.data, endpoint.apiKey)}` : "";
  const message = `The embedding endpoint at ${at} refused the request (${status})${said}`;
  return new CambiumError("EMBEDDER_REFUSED", /[.!?]$/.test(message) ? message : `${message}.`, { details });
}

/** Endpoints like to repeat the key they were given. */
function withoutKey(text: string, apiKey: string | undefined): string {
  const clean = apiKey === undefined ? text : text.replaceAll(apiKey, "(key)");
  return clean.length > MAX_QUOTED_LENGTH ? `${clean.slice(0, MAX_QUOTED_LENGTH)}…` : clean;
}

const unreachable = (
  endpoint: EmbeddingsEndpoint,
  what: string,
  extras: { readonly cause?: unknown; readonly details?: { readonly status: number } },
): CambiumError =>
  new CambiumError("EMBEDDER_UNREACHABLE", `The embedding endpoint at ${hostOf(endpoint)} ${what}.`, extras);

const notUnderstood = (endpoint: EmbeddingsEndpoint): CambiumError =>
  new CambiumError(
    "EMBEDDER_REFUSED",
    `The answer of the embedding endpoint at ${hostOf(endpoint)} is not one vector for each text.`,
    { hint: "Check that the address is an OpenAI-compatible one, and that the model makes embeddings." },
  );

const hostOf = ({ url }: EmbeddingsEndpoint): string => new URL(url).host;

/** Dates, the header's other form, are left to our own waiting. */
function secondsToMs(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}

/** Returns undefined for what is no JSON; every schema refuses that. */
function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Said in words by the caller, who knows what was asked.
    return undefined;
  }
}
