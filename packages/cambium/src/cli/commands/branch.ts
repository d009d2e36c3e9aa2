import { omitUndefined, oneLine } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { ContextOptions } from "../context.js";
import { spaceOption } from "../options.js";

interface Options extends ContextOptions {
  readonly from?: string;
}

export const branch: CommandDefinition<Options, [name: string]> = {
  about: "Create a branch from any state, now or in the past (default: main as it is now)",
  examples: ["cambium branch work-persona", "cambium branch before-the-move --from main@2026-08-01"],
  options: (command) =>
    spaceOption(command)
      .option("--from <ref>", "the state to start from (default: main)")
      .option("--agent <name>", "author of this change (default: cli)"),
  act: async (context, [name], { from }) =>
    await context.withSpace(async ({ agent }) => {
      const made = await agent.branches.create(name, omitUndefined({ from }));
      const { colors } = context.style;
      const shown = oneLine(made.name);
      return await context.answer(made, () =>
        [
          `Made the branch ${colors.green(shown)} from ${oneLine(made.parent ?? "main")}`,
          `Write on it with --branch ${shown}, or CAMBIUM_BRANCH=${shown}; bring it back with \`cambium merge ${shown}\`.`,
        ].join("\n"),
      );
    }),
};
