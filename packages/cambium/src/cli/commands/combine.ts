import { refuseSecrets } from "../../secrets/refuse-secrets.js";
import type { CommandDefinition } from "../command.js";
import { memoryFields, memoryOptions } from "../memory-options.js";
import type { OptionTable } from "../option-table.js";
import { secretOption } from "../options.js";
import { readText } from "../read-text.js";
import { writtenReply } from "../render/written-reply.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  secretOption(
    memoryOptions(
      command.requiredOption("--content <text>", "the text of the new memory (`-` reads standard input)"),
    ),
  );

export const combine: CommandDefinition<typeof options, [ids: readonly string[]]> = {
  about: "Combine several memories into one. The new memory refers to the originals, which are hidden",
  examples: [
    'cambium combine 0198c2a4-7d3e 0198c2a4-81b0 --content "Releases are cut and announced on Thursdays"',
  ],
  options,
  act: async (context, [ids], options) => {
    if (ids.length < 2) throw new UsageError("Give the ids of at least two memories.");
    const input = { ...memoryFields(options), content: await readText(options.content, context.io) };
    refuseSecrets(input, { allow: options.allowSecret });
    return await context.withSpace(async ({ agent }) => {
      const memory = await agent.combine(ids, input, { branch: context.branch });
      return await context.answer(memory, () =>
        writtenReply(`Combined ${ids.length} memories into`, memory, context.style),
      );
    });
  },
};
