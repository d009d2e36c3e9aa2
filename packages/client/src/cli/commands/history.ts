import type { CommandDefinition } from "../command.js";
import { type ReadOptions, readOptions } from "../options.js";
import { historyText } from "../render/history.js";

export const history: CommandDefinition<ReadOptions, [id: string]> = {
  about: "Show every version of a memory, oldest first, and what each changed",
  examples: ["cambium history 0198c2a4-7d3e", "cambium history 0198c2a4-7d3e --branch work-persona"],
  options: readOptions,
  act: async (context, [id], { at }) =>
    await context.withSpace(async ({ space }) => {
      const versions = await space.history(id, { branch: context.branch, at });
      return await context.answer({ versions }, () => historyText(versions, context.style));
    }),
};
