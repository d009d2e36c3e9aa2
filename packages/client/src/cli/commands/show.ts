import type { CommandDefinition } from "../command.js";
import { type ReadOptions, readOptions } from "../options.js";
import { memoryInFull } from "../render/memory.js";

export const show: CommandDefinition<ReadOptions, [id: string]> = {
  about: "Show one memory in full, with its open conflicts",
  examples: ["cambium show 0198c2a4-7d3e", 'cambium show 0198c2a4-7d3e --at "6 months ago"'],
  options: readOptions,
  act: async (context, [id], { at }) =>
    await context.withSpace(async ({ space }) => {
      const memory = await space.get(id, { branch: context.branch, at });
      return await context.answer(memory, () => memoryInFull(memory, space.replica, context.style));
    }),
};
