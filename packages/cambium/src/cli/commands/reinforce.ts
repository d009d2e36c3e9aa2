import { omitUndefined } from "@cambium/core/text";
import { Option } from "commander";
import type { CommandDefinition } from "../command.js";
import type { ContextOptions } from "../context.js";
import { branchOption, positiveInteger } from "../options.js";
import { retentionTable } from "../render/retention.js";

interface Options extends ContextOptions {
  readonly times?: number;
}

export const reinforce: CommandDefinition<Options, [ids: readonly string[]]> = {
  about: "Count memories as if they had been recalled, so that they fade more slowly",
  examples: ["cambium reinforce 0198c2a4-7d3e", "cambium reinforce 0198c2a4-7d3e 0198c2a4-81b0 --times 5"],
  options: (command) =>
    branchOption(command).addOption(
      new Option("--times <n>", "how often, from 1 to 1000 (default: 1)").argParser(positiveInteger),
    ),
  act: async (context, [ids], { times }) =>
    await context.withSpace(async ({ space, agent }) => {
      const { branch } = context;
      await agent.reinforce(ids, { branch, ...omitUndefined({ times }) });
      const memories = await Promise.all(ids.map((id) => space.strength(id, { branch })));
      return await context.answer({ memories }, () => retentionTable(memories, context.style));
    }),
};
