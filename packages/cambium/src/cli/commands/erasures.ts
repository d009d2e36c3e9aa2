import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { spaceOption } from "../options.js";
import { certificateText, erasuresText } from "../render/erasure.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  spaceOption(command).option("--certificate <id>", "a page to print about one of them");

export const erasures: CommandDefinition<typeof options> = {
  about: "List what was erased: when, by whom, how much, and whether this device has destroyed it",
  examples: ["cambium erasures", "cambium erasures --json", "cambium erasures --certificate 3f2a"],
  options,
  act: async (context, _args, { certificate }) =>
    await context.withSpace(async ({ space }) => {
      const erasures = await space.erasures();
      if (certificate !== undefined) {
        const found = erasures.filter(({ id }) => id.startsWith(certificate));
        const [erasure] = found;
        if (erasure === undefined || found.length > 1)
          throw new UsageError("No single erasure has this id.", "See them with `cambium erasures`.");
        return await context.answer(erasure, () => certificateText(erasure, space.name));
      }
      return await context.answer({ erasures }, () => erasuresText(erasures, context.style));
    }),
};
