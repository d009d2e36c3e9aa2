import type { CommandDefinition } from "../command.js";
import { spaceOption } from "../options.js";
import { indexText, vectorsText } from "../render/index-status.js";

export const reindex: CommandDefinition = {
  about:
    "Rebuild the index from the documents, and add missing vectors if CAMBIUM_EMBEDDINGS_URL is set. Ctrl-C stops it and keeps what is done",
  examples: ["cambium reindex", "cambium reindex --json"],
  options: spaceOption,
  act: async (context) =>
    await context.withSpace(
      async ({ space }) => {
        const made = await space.reindex({ signal: context.io.signal });
        return await context.answer(made, () =>
          [
            `Rebuilt the index: ${indexText(made, context.style)}`,
            ...(made.vectors === undefined ? [] : [`Vectors: ${vectorsText(made.vectors, context.style)}`]),
          ].join("\n"),
        );
      },
      { vectors: true },
    ),
};
