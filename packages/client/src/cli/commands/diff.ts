import type { CommandDefinition } from "../command.js";
import { branchOption } from "../options.js";
import { changesSummary, changesText } from "../render/changes.js";

export const diff: CommandDefinition<object, [from: string, to?: string]> = {
  about: "Compare two states, word by word; without a second one, with the branch as it is now",
  examples: [
    "cambium diff main work-persona",
    "cambium diff main@2026-08-01",
    "cambium diff 'main@\"6 months ago\"' main@yesterday",
  ],
  options: branchOption,
  act: async (context, [from, to]) =>
    await context.withSpace(async ({ space }) => {
      const result = await space.diff(from, to ?? context.branch);
      const { style } = context;
      return await context.answer(result, () => {
        const head = `${style.colors.bold(`${result.from.ref} → ${result.to.ref}`)}: ${changesSummary(result)}`;
        return [head, changesText(result, style)].filter((part) => part !== "").join("\n\n");
      });
    }),
};
