import type { CommandDefinition } from "../command.js";
import { readOptions } from "../options.js";
import { blameText } from "../render/blame.js";

export const blame: CommandDefinition<typeof readOptions, [id: string]> = {
  about: "Show which version last set each phrase and field of a memory, and who wrote it",
  examples: ["cambium blame 0198c2a4-7d3e", 'cambium blame 0198c2a4-7d3e --at "last month"'],
  options: readOptions,
  act: async (context, [id], { at }) =>
    await context.withSpace(async ({ space }) => {
      const outcome = await space.blame(id, { branch: context.branch, at });
      return await context.answer(outcome, () => blameText(outcome, context.style));
    }),
};
