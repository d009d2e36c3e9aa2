import { omitUndefined } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { branchOption, positiveInteger } from "../options.js";

const options = (command: OptionTable) =>
  branchOption(command)
    .option("--agent <name>", "the agent it is for; what that agent wrote itself is left out (default: cli)")
    .option("--since <ref>", "show what is new since this state instead of since the last brief")
    .option("--max-bytes <n>", "maximum size in bytes, at least 500 (default: 4000)", positiveInteger)
    .option("--peek", "do not record that it was read; the next brief shows the same again");

export const brief: CommandDefinition<typeof options> = {
  about:
    "Show what an agent should know at the start of a session: what others wrote since its last brief, what is undecided or waiting, and what matters",
  examples: [
    "cambium brief --agent claude-code",
    "cambium brief --since yesterday --peek",
    "cambium brief --branch work-persona --max-bytes 2000 --json",
  ],
  options,
  act: async (context, _args, { since, maxBytes, peek }) =>
    await context.withSpace(async ({ space }) => {
      const { agentName: agent, branch } = context;
      const outcome = await space.brief({ agent, branch, ...omitUndefined({ since, maxBytes, peek }) });
      return await context.answer(outcome, () => outcome.text);
    }),
};
