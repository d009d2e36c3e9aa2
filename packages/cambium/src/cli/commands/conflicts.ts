import { shortIds } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import { readOptions } from "../options.js";
import { conflictsOfMemory } from "../render/conflict.js";

export const conflicts: CommandDefinition<typeof readOptions> = {
  about: "Show fields that two sides set differently: the base, every value, who and when",
  examples: ["cambium conflicts", "cambium conflicts --branch work-persona --json"],
  options: readOptions,
  act: async (context, _args, { at }) =>
    await context.withSpace(async ({ space }) => {
      const found = await space.conflicts({ branch: context.branch, at });
      return await context.answer({ conflicts: found }, () => {
        if (found.length === 0) return "There are no open conflicts.";
        const short = shortIds(found.map(({ id }) => id));
        return found.map((memory) => conflictsOfMemory(memory, short, context.style)).join("\n\n");
      });
    }),
};
