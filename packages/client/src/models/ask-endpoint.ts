/**
 * One request to an OpenAI-compatible endpoint, and what its answer means.
 *
 * @module
 */
import { CambiumError, type ErrorCode, throwIfAborted } from "@cambium/core";
import * as z from "zod";

export interface Endpoint {
  /** As `endpointUrl` gives it. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly timeoutMs: number;
  readonly words: EndpointWords;
}

/** How what goes wrong is named. */
export interface EndpointWords {
  readonly unreachable: ErrorCode;
  readonly refused: ErrorCode;
  /** Such as `embedding`; "endpoint" follows. */
  readonly name: string;
  /** What it should make, such as `embeddings`. */
  readonly makes: string;
  /** The environment variable that holds its key. */
  readonly keyVariable: string;
  /** What its answer is not, such as `one vector for each text`. */
  readonly answer: string;
}

export type Attempt<Value> =
  | { readonly type: "answer"; readonly value: Value }
  /** The endpoint lives, and asks for patience or has trouble of its own. */
  | { readonly type: "later"; readonly error: CambiumError; readonly retryAfterMs: number | undefined }
  | { readonly type: "refused"; readonly error: CambiumError };

const MAX_QUOTED_LENGTH = 200;

/** OpenAI's shape, and the plain one of some servers. */
const complaintSchema = z
  .union([z.object({ error: z.object({ message: z.string() }) }), z.object({ error: z.string() })])
  .transform(({ error }) => (typeof error === "string" ? error : error.message));

export interface Question<Value> {
  readonly body: unknown;
  /** Undefined for an answer that makes no sense. */
  readonly read: (answer: unknown) => Value | undefined;
}

/** @throws {CambiumError} the endpoint's "unreachable" when there is no whole answer in time, ABORTED */
export async function askEndpoint<Value>(
  endpoint: Endpoint,
  { body: question, read }: Question<Value>,
  signal: AbortSignal | undefined,
): Promise<Attempt<Value>> {
  const timeout = AbortSignal.timeout(endpoint.timeoutMs);
  let status: number;
  let retryAfter: string | null;
  let body: string;
  try {
    // A redirect could carry the key, and the texts, to another host.
    const response = await fetch(endpoint.url, {
      ...requestOf(endpoint, question),
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
  const value = read(parseJson(body));
  return value === undefined
    ? { type: "refused", error: notUnderstood(endpoint) }
    : { type: "answer", value };
}

const requestOf = ({ apiKey }: Endpoint, body: unknown): RequestInit => ({
  method: "POST",
  headers: {
    "content-type": "application/json",
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  },
  body: JSON.stringify(body),
});

function refusal(endpoint: Endpoint, status: number, body: string): CambiumError {
  const at = hostOf(endpoint);
  const details = { status };
  const { refused, name, makes, keyVariable } = endpoint.words;
  if (status === 401 || status === 403) {
    const message = `The ${name} endpoint at ${at} does not accept the key.`;
    return new CambiumError(refused, message, { hint: `Check ${keyVariable}.`, details });
  }
  if (status === 404) {
    const message = `The endpoint at ${at} knows no model ${endpoint.model}, or makes no ${makes}.`;
    return new CambiumError(refused, message, {
      hint: "Check the address and the model's name; with Ollama, pull the model first.",
      details,
    });
  }
  const complaint = complaintSchema.safeParse(parseJson(body));
  const stated = complaint.success ? `: ${withoutKey(complaint.data, endpoint.apiKey)}` : "";
  const message = `The ${name} endpoint at ${at} refused the request (${status})${stated}`;
  return new CambiumError(refused, /[.!?]$/.test(message) ? message : `${message}.`, { details });
}

/** Endpoints like to repeat the key they were given. */
function withoutKey(text: string, apiKey: string | undefined): string {
  const clean = apiKey === undefined ? text : text.replaceAll(apiKey, "(key)");
  return clean.length > MAX_QUOTED_LENGTH ? `${clean.slice(0, MAX_QUOTED_LENGTH)}…` : clean;
}

const unreachable = (
  endpoint: Endpoint,
  what: string,
  extras: { readonly cause?: unknown; readonly details?: { readonly status: number } },
): CambiumError =>
  new CambiumError(
    endpoint.words.unreachable,
    `The ${endpoint.words.name} endpoint at ${hostOf(endpoint)} ${what}.`,
    extras,
  );

const notUnderstood = (endpoint: Endpoint): CambiumError =>
  new CambiumError(
    endpoint.words.refused,
    `The answer of the ${endpoint.words.name} endpoint at ${hostOf(endpoint)} is not ${endpoint.words.answer}.`,
    {
      hint: `Check that the address is an OpenAI-compatible one, and that the model makes ${endpoint.words.makes}.`,
    },
  );

const hostOf = ({ url }: Endpoint): string => new URL(url).host;

/** Dates, the header's other form, are left to our own waiting. */
function secondsToMs(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}

/** Returns undefined for what is no JSON; every schema refuses that. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Said in words by the caller, who knows what was asked.
    return undefined;
  }
}
