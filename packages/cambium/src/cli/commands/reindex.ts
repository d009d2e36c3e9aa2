import type { CommandDefinition } from "../command.js";
import { spaceOption } from "../options.js";
import { indexText, vectorsText } from "../render/index-status.js";

export const reindex: CommandDefinition = {
  about:
    "Make the index anew from the documents, and the vectors that are missing where CAMBIUM_EMBEDDINGS_URL names something that makes them. Ctrl-C stops it; what was made is kept",
  examples: ["cambium reindex", "cambium reindex --json"],
  options: spaceOption,
  act: async (context) =>
    await context.withSpace(
      async ({ space }) => {
        const made = await space.reindex({ signal: context.io.signal });
        return await context.answer(made, () =>
          [
            `Made the index anew: ${indexText(made, context.style)}`,
            ...(made.vectors === undefined ? [] : [`Vectors: ${vectorsText(made.vectors, context.style)}`]),
          ].join("\n"),
        );
      },
      { vectors: true },
    ),
};
