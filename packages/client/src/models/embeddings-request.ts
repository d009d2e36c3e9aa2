/**
 * What is asked of an embeddings endpoint, and how its answer is read.
 *
 * @module
 */
import * as z from "zod";
import type { EndpointWords, Question } from "./ask-endpoint.js";

export const EMBEDDING_WORDS: EndpointWords = {
  unreachable: "EMBEDDER_UNREACHABLE",
  refused: "EMBEDDER_REFUSED",
  name: "embedding",
  makes: "embeddings",
  keyVariable: "CAMBIUM_EMBEDDINGS_KEY",
  answer: "one vector for each text",
};

/** Far more numbers than any model gives. */
const MAX_DIMENSIONS = 16_384;

const answerSchema = z.object({
  data: z.array(
    z.object({
      index: z.number().int().nonnegative(),
      embedding: z.array(z.number()).min(1).max(MAX_DIMENSIONS),
    }),
  ),
});

export const embeddingsQuestion = (
  { model, dimensions }: { readonly model: string; readonly dimensions: number | undefined },
  input: readonly string[],
): Question<readonly Float32Array[]> => ({
  body: { model, input, encoding_format: "float", dimensions },
  read: (answer) => readVectors(answer, input.length),
});

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
