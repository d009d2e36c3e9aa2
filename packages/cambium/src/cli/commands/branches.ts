import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { spaceOption } from "../options.js";
import { branchTable } from "../render/branches.js";

const options = (command: OptionTable) =>
  spaceOption(command).option("--deleted", "include deleted branches");

export const branches: CommandDefinition<typeof options> = {
  about: "List branches with their number of memories, their parent, and how far ahead or behind they are",
  examples: ["cambium branches", "cambium branches --deleted --json"],
  options,
  act: async (context, _args, { deleted = false }) =>
    await context.withSpace(async ({ space }) => {
      const found = await space.branches.list({ deleted });
      return await context.answer({ branches: found }, () =>
        branchTable(found, context.branch ?? "main", context.style),
      );
    }),
};
