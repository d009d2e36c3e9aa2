import type { Embedder } from "../../src/api/embedder.js";

/** Says which letters a text has, so that texts near each other in letters are near each other. */
export const letters: Embedder = {
  model: "letters",
  embed: async (texts) =>
    texts.map((text) =>
      Float32Array.from(
        { length: 26 },
        (_, at) => text.toLowerCase().split(String.fromCharCode(97 + at)).length,
      ),
    ),
};
