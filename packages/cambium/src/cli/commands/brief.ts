import { omitUndefined } from "@cambium/core/text";
import { Option } from "commander";
import type { CommandDefinition } from "../command.js";
import type { ContextOptions } from "../context.js";
import { branchOption, positiveInteger } from "../options.js";

interface Options extends ContextOptions {
  readonly since?: string;
  readonly maxBytes?: number;
  readonly peek?: true;
}

export const brief: CommandDefinition<Options> = {
  about:
    "Show what an agent should know at the start of a session: what others wrote since its last brief, what is undecided or waiting, and what matters",
  examples: [
    "cambium brief --agent claude-code",
    "cambium brief --since yesterday --peek",
    "cambium brief --branch work-persona --max-bytes 2000 --json",
  ],
  options: (command) =>
    branchOption(command)
      .option(
        "--agent <name>",
        "the agent it is for; what that agent wrote itself is left out (default: cli)",
      )
      .option("--since <ref>", "show what is new since this state instead of since the last brief")
      .addOption(
        new Option("--max-bytes <n>", "maximum size in bytes, at least 500 (default: 4000)").argParser(
          positiveInteger,
        ),
      )
      .option("--peek", "do not record that it was read; the next brief shows the same again"),
  act: async (context, _args, { since, maxBytes, peek }) =>
    await context.withSpace(async ({ space }) => {
      const { agentName: agent, branch } = context;
      const outcome = await space.brief({ agent, branch, ...omitUndefined({ since, maxBytes, peek }) });
      return await context.answer(outcome, () => outcome.text);
    }),
};
