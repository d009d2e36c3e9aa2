import type { CommandDefinition } from "../command.js";
import { branchOption } from "../options.js";
import { statusText } from "../render/status.js";

export const status: CommandDefinition = {
  about:
    "Say which space, branch and relay you are on, what is pending, missing or in conflict, and how the index stands",
  examples: ["cambium status", "cambium status --json"],
  options: branchOption,
  act: async (context) =>
    await context.withSpace(
      async ({ space }) => {
        const found = await space.status({ branch: context.branch });
        return await context.answer(found, () => statusText(found, context.style));
      },
      { vectors: true },
    ),
};
