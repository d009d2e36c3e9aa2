/**
 * What a model of the user's own would add, and whether one is named. Cambium works without any.
 *
 * @module
 */
import { nonEmpty } from "@cambium/core/text";

export interface ModelUse {
  readonly use: "recall" | "ask" | "summaries";
  /** What it adds, for people. */
  readonly about: string;
  /** The model that is named; undefined: it is off. */
  readonly model: string | undefined;
  /** What turns it on, with a small model of a server on this machine. */
  readonly example: Readonly<Record<string, string>>;
}

/** Where Ollama listens. */
export const LOCAL_URL = "http://localhost:11434";

/** By the beginning of their variables. */
const USES = [
  { use: "recall", about: "recall by meaning", variable: "CAMBIUM_EMBEDDINGS", small: "embeddinggemma" },
  { use: "ask", about: "free wording in ask", variable: "CAMBIUM_ASK", small: "qwen3:4b" },
  { use: "summaries", about: "sentences on changes", variable: "CAMBIUM_SUMMARIES", small: "qwen3:4b" },
] as const;

export const modelUses = (env: Readonly<Record<string, string | undefined>>): readonly ModelUse[] =>
  USES.map(({ use, about, variable, small }) => {
    const url = nonEmpty(env[`${variable}_URL`]);
    const model = url === undefined ? undefined : (nonEmpty(env[`${variable}_MODEL`]) ?? url);
    return { use, about, model, example: { [`${variable}_URL`]: LOCAL_URL, [`${variable}_MODEL`]: small } };
  });
