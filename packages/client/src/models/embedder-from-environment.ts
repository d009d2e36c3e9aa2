/**
 * Which embedder a person has chosen, if any: vectors are off unless asked for.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type { Embedder } from "../api/embedder.js";
import { openAiEmbedder } from "./openai-embedder.js";
import { transformersEmbedder } from "./transformers-embedder.js";

/** Stands in CAMBIUM_EMBEDDINGS_URL in place of an address. */
const IN_PROCESS = "in-process";

/**
 * Returns the embedder that CAMBIUM_EMBEDDINGS_URL, _MODEL and _KEY describe; undefined when none is set.
 *
 * @throws {CambiumError} BAD_INPUT when they do not fit together
 */
export function embedderFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Embedder | undefined {
  const url = setValue(environment.CAMBIUM_EMBEDDINGS_URL);
  const model = setValue(environment.CAMBIUM_EMBEDDINGS_MODEL);
  const apiKey = setValue(environment.CAMBIUM_EMBEDDINGS_KEY);
  if (url === undefined) {
    if (model === undefined && apiKey === undefined) return undefined;
    throw missing(
      "CAMBIUM_EMBEDDINGS_URL",
      "Set it to the endpoint's address, or to in-process, or unset the other variables.",
    );
  }
  if (url === IN_PROCESS) return transformersEmbedder({ model });
  if (model === undefined) {
    throw missing("CAMBIUM_EMBEDDINGS_MODEL", "Name the model as the endpoint calls it.");
  }
  return openAiEmbedder({ url, model, apiKey });
}

/** An empty variable is one that somebody wanted unset. */
export const setValue = (text: string | undefined): string | undefined => text?.trim() || undefined;

const missing = (name: string, hint: string): CambiumError =>
  new CambiumError("BAD_INPUT", `The settings for vectors are incomplete: ${name} is not set.`, { hint });
