/**
 * A chat model that a person named for requests in plain English: any endpoint that speaks OpenAI's
 * `POST /v1/chat/completions`. Off unless named.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import * as z from "zod";
import { askEndpoint, type Endpoint, type EndpointWords } from "./ask-endpoint.js";
import { checkApiKey, endpointUrl } from "./endpoint-url.js";

/** What a chat model is asked for: one document of a schema. */
export interface ChatQuestion {
  /** What the model is to do; written by us. */
  readonly system: string;
  /** What it is to read; written by a person. */
  readonly user: string;
  /** Of the schema. */
  readonly name: string;
  /** JSON Schema of the answer. */
  readonly schema: object;
}

/** Answers a question with one document. */
export interface ChatModel {
  /** As the endpoint calls it. */
  readonly model: string;
  /** @returns what the model answered, unchecked; undefined where there was no answer in time, or none that is JSON */
  ask(question: ChatQuestion, signal?: AbortSignal): Promise<unknown>;
}

const WORDS: EndpointWords = {
  unreachable: "SUMMARIZER_UNREACHABLE",
  refused: "SUMMARIZER_REFUSED",
  name: "ask",
  makes: "chat completions",
  keyVariable: "CAMBIUM_ASK_KEY",
  answer: "one JSON document",
};

/** Somebody waits for it at a terminal. */
const TIMEOUT_MS = 15_000;

const answerSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/**
 * Returns the model that CAMBIUM_ASK_URL, _MODEL and _KEY describe; undefined when none is set.
 *
 * @throws {CambiumError} BAD_INPUT when they do not fit together
 */
export function chatModelFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  timeoutMs = TIMEOUT_MS,
): ChatModel | undefined {
  const [url, model, key] = ["URL", "MODEL", "KEY"].map(
    (name) => environment[`CAMBIUM_ASK_${name}`]?.trim() || undefined,
  );
  if (url === undefined && model === undefined && key === undefined) return undefined;
  if (url === undefined || model === undefined)
    throw new CambiumError(
      "BAD_INPUT",
      `The settings for ask are incomplete: CAMBIUM_ASK_${url === undefined ? "URL" : "MODEL"} is not set.`,
      { hint: "Name the endpoint's address, and the model as the endpoint calls it." },
    );
  const endpoint: Endpoint = {
    url: endpointUrl(url, "chat/completions", "ask"),
    model,
    apiKey: key === undefined ? undefined : checkApiKey(key, "ask"),
    timeoutMs,
    words: WORDS,
  };
  return { model, ask: (question, signal) => askOnce(endpoint, question, signal) };
}

async function askOnce(
  endpoint: Endpoint,
  { system, user, name, schema }: ChatQuestion,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const body = {
    model: endpoint.model,
    messages: [
      { role: "system", content: system },
      { role: "user", content: user },
    ],
    temperature: 0,
    stream: false,
    response_format: { type: "json_schema", json_schema: { name, strict: true, schema } },
  };
  try {
    const attempt = await askEndpoint(endpoint, { body, read: readDocument }, signal);
    return attempt.type === "answer" ? attempt.value : undefined;
  } catch (error) {
    if (signal?.aborted) throw error;
    return undefined;
  }
}

/** Without what some models think aloud before it, and the fence that some put about it. */
function readDocument(body: unknown): unknown {
  const [choice] = answerSchema.safeParse(body).data?.choices ?? [];
  const text = choice?.message.content.replace(/<think>.*?<\/think>/gsu, "").trim();
  const [, fenced = text] = /^```(?:json)?\s*(.*?)\s*```$/su.exec(text ?? "") ?? [];
  try {
    return JSON.parse(fenced ?? "");
  } catch {
    return undefined; // no document is no answer
  }
}
