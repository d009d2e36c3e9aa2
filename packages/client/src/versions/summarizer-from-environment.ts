/**
 * Which summarizer a person has chosen, if any: unless asked for, the rules write the sentences.
 *
 * @module
 */

import { CambiumError } from "@cambium/core";
import type { Summarizer } from "../api/summarizer.js";
import { setValue } from "../models/embedder-from-environment.js";
import { openAiSummarizer } from "./openai-summarizer.js";

/**
 * Returns the summarizer that CAMBIUM_SUMMARIES_URL, _MODEL and _KEY describe; undefined when none is set.
 *
 * @throws {CambiumError} BAD_INPUT when they do not fit together
 */
export function summarizerFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Summarizer | undefined {
  const url = setValue(environment.CAMBIUM_SUMMARIES_URL);
  const model = setValue(environment.CAMBIUM_SUMMARIES_MODEL);
  const apiKey = setValue(environment.CAMBIUM_SUMMARIES_KEY);
  if (url === undefined && model === undefined && apiKey === undefined) return undefined;
  if (url === undefined) throw missing("CAMBIUM_SUMMARIES_URL", "Set it to the endpoint's address.");
  if (model === undefined)
    throw missing("CAMBIUM_SUMMARIES_MODEL", "Name the model as the endpoint calls it.");
  return openAiSummarizer({ url, model, apiKey });
}

const missing = (name: string, hint: string): CambiumError =>
  new CambiumError("BAD_INPUT", `The settings for summaries are incomplete: ${name} is not set.`, { hint });
