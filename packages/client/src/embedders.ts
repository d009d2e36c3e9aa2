/**
 * What makes vectors for recall, apart from the rest: most programs load none of it.
 *
 * @module
 */
export type { Embedder } from "./embedding/embedder.js";
export { type OpenAiEmbedderOptions, openAiEmbedder } from "./embedding/openai-embedder.js";
export {
  type TransformersEmbedderOptions,
  transformersEmbedder,
} from "./embedding/transformers-embedder.js";
