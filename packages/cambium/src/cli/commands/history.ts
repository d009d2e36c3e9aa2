import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { readOptions, waitOption } from "../options.js";
import { combinedOf, shownNowText } from "../render/combined.js";
import { historyText } from "../render/history.js";
import { withSummaries } from "../wait-for-summaries.js";

const options = (command: OptionTable) => waitOption(readOptions(command));

export const history: CommandDefinition<typeof options, [id: string]> = {
  about: "Show every version of a memory, oldest first, and what each changed",
  examples: ["cambium history 0198c2a4-7d3e", "cambium history 0198c2a4-7d3e --branch work-persona"],
  options,
  act: async (context, [id], { at, wait = false }) =>
    await context.withSpace(
      async ({ space }) => {
        const ask = () => space.history(id, { branch: context.branch, at });
        const versions = await withSummaries(ask, { space, io: context.io, wait });
        const last = combinedOf(versions);
        return await context.answer({ versions }, async () => {
          const text = historyText(versions, context.style);
          if (last.length === 0) return text;
          const memory = await space.get(id, { branch: context.branch, at });
          return `${text}\n\n${shownNowText(memory, last, context.style)}`;
        });
      },
      { summaries: true },
    ),
};
