import type { CommandDefinition } from "../command.js";
import { type ReadOptions, readOptions } from "../options.js";
import { memoryInFull } from "../render/memory.js";

interface Options extends ReadOptions {
  readonly strength?: true;
}

export const show: CommandDefinition<Options, [id: string]> = {
  about: "Show one memory in full, with its open conflicts",
  examples: [
    "cambium show 0198c2a4-7d3e",
    'cambium show 0198c2a4-7d3e --at "6 months ago"',
    "cambium show 0198c2a4-7d3e --strength",
  ],
  options: (command) =>
    readOptions(command).option("--strength", "also how strong it is today, and how often it was recalled"),
  act: async (context, [id], { at, strength: isWanted = false }) =>
    await context.withSpace(async ({ space }) => {
      const options = { branch: context.branch, at };
      const memory = await space.get(id, options);
      const strength = isWanted ? await space.strength(memory.id, options) : undefined;
      const document = strength === undefined ? memory : { ...memory, strength };
      return await context.answer(document, () =>
        memoryInFull(memory, { replica: space.replica, strength }, context.style),
      );
    }),
};
