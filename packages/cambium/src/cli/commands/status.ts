import type { Binding } from "../../workspace/binding.js";
import type { CommandDefinition } from "../command.js";
import { branchOption } from "../options.js";
import { statusText } from "../render/status.js";

/** As `--json` tells it: what names the space and the branch; null where nothing does. */
const pinnedIn = ({ space, branch }: Binding) => ({ space: space?.by ?? null, branch: branch?.by ?? null });

export const status: CommandDefinition = {
  about:
    "Show the current space, branch and relay, what is pending, missing or in conflict, and the state of the index",
  examples: ["cambium status", "cambium status --json"],
  options: branchOption,
  act: async (context) =>
    await context.withSpace(
      async ({ space }) => {
        const found = await space.status({ branch: context.branch });
        const { binding } = context;
        return await context.answer({ ...found, pinned: pinnedIn(binding) }, () =>
          statusText(found, context.style, binding),
        );
      },
      { vectors: true },
    ),
};
