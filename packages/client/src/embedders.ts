/**
 * What asks models: for vectors for recall, and for sentences about changes. Apart from the rest, because most
 * programs load none of it.
 *
 * @module
 */
import "@cambium/core/supported-node";

export type { Embedder } from "./api/embedder.js";
export type { ChangeToSummarize, Summarizer } from "./api/summarizer.js";
export { type OpenAiEmbedderOptions, openAiEmbedder } from "./models/openai-embedder.js";
export {
  type TransformersEmbedderOptions,
  transformersEmbedder,
} from "./models/transformers-embedder.js";
export { type OpenAiSummarizerOptions, openAiSummarizer } from "./versions/openai-summarizer.js";
