import type { Progress } from "@cambium/client";
import type { CommandDefinition } from "../command.js";
import { CountLine } from "../count-line.js";
import { unlessStopped } from "../failure.js";
import { spaceOption } from "../options.js";
import { indexText, vectorsText } from "../render/index-status.js";

const STOPPED = {
  lines: ["Stopped. What was done stays, and reads finish the index when they need it."],
};

export const reindex: CommandDefinition = {
  about:
    "Rebuild the index from the documents, and add missing vectors if CAMBIUM_EMBEDDINGS_URL is set. Ctrl-C stops it and keeps what is done",
  examples: ["cambium reindex", "cambium reindex --json"],
  options: spaceOption,
  act: async (context) =>
    await context.withSpace(
      async ({ space }) => {
        const { io } = context;
        using counts = new CountLine(io);
        const options = {
          signal: io.signal,
          onProgress: ({ done, total, stage }: Progress): void => counts.show(done, total, stage),
        };
        const rebuilding = space.reindex(options).finally(() => counts[Symbol.dispose]());
        const made = await unlessStopped(rebuilding, io, () => STOPPED);
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
