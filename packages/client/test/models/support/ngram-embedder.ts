/** A small deterministic embedder: hashed character trigrams. Texts that share many are near. */
import type { Embedder, EmbedOptions } from "../../../src/api/embedder.js";

const DIMENSIONS = 64;

export function ngramVector(text: string, dimensions = DIMENSIONS): Float32Array {
  const vector = new Float32Array(dimensions);
  const padded = `  ${text.toLowerCase()} `;
  for (let start = 0; start + 3 <= padded.length; start += 1) {
    let hash = 2_166_136_261;
    for (const char of padded.slice(start, start + 3)) {
      hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619);
    }
    const place = (hash >>> 1) % dimensions;
    vector[place] = (vector[place] ?? 0) + (hash & 1 ? 1 : -1);
  }
  return vector;
}

export interface NgramEmbedder extends Embedder {
  /** Every request: what was asked, in order. */
  readonly asked: (readonly string[])[];
  /** Called before each answer; may throw, or take its time. */
  before: (texts: readonly string[], options: EmbedOptions) => void | Promise<void>;
}

export function ngramEmbedder(model = "ngrams"): NgramEmbedder {
  const embedder: NgramEmbedder = {
    model,
    asked: [],
    before: () => undefined,
    async embed(texts, options) {
      embedder.asked.push(texts);
      await embedder.before(texts, options);
      return texts.map((text) => ngramVector(text));
    },
  };
  return embedder;
}
