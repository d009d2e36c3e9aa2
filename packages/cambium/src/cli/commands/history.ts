import type { CommandDefinition } from "../command.js";
import { type ReadOptions, readOptions, waitOption } from "../options.js";
import { historyText } from "../render/history.js";
import { withSummaries } from "../wait-for-summaries.js";

interface Options extends ReadOptions {
  readonly wait?: true;
}

export const history: CommandDefinition<Options, [id: string]> = {
  about: "Show every version of a memory, oldest first, and what each changed",
  examples: ["cambium history 0198c2a4-7d3e", "cambium history 0198c2a4-7d3e --branch work-persona"],
  options: (command) => waitOption(readOptions(command)),
  act: async (context, [id], { at, wait = false }) =>
    await context.withSpace(
      async ({ space }) => {
        const ask = () => space.history(id, { branch: context.branch, at });
        const versions = await withSummaries(ask, { space, io: context.io, wait });
        return await context.answer({ versions }, () => historyText(versions, context.style));
      },
      { summaries: true },
    ),
};
