import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { spaceOption } from "../options.js";
import { erasuresText } from "../render/erasure.js";

const options = (command: OptionTable) => spaceOption(command);

export const erasures: CommandDefinition<typeof options> = {
  about: "List what was erased: when, by whom, how much, and whether this device has destroyed it",
  examples: ["cambium erasures", "cambium erasures --json"],
  options,
  act: async (context) =>
    await context.withSpace(async ({ space }) => {
      const erasures = await space.erasures();
      return await context.answer({ erasures }, () => erasuresText(erasures, context.style));
    }),
};
