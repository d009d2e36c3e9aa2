import { omitUndefined } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { branchOption, positiveInteger } from "../options.js";
import { retentionTable } from "../render/retention.js";

const options = (command: OptionTable) =>
  branchOption(command).option("--times <n>", "how often, from 1 to 1000 (default: 1)", positiveInteger);

export const reinforce: CommandDefinition<typeof options, [ids: readonly string[]]> = {
  about: "Count memories as if they had been recalled, so that they fade more slowly",
  examples: ["cambium reinforce 0198c2a4-7d3e", "cambium reinforce 0198c2a4-7d3e 0198c2a4-81b0 --times 5"],
  options,
  act: async (context, [ids], { times }) =>
    await context.withSpace(async ({ space, agent }) => {
      const { branch } = context;
      await agent.reinforce(ids, { branch, ...omitUndefined({ times }) });
      const memories = await Promise.all(ids.map((id) => space.strength(id, { branch })));
      return await context.answer({ memories }, () => retentionTable(memories, context.style));
    }),
};
