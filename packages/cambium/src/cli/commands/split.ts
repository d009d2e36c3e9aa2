import { refuseSecrets } from "../../secrets/refuse-secrets.js";
import type { CommandDefinition } from "../command.js";
import { memoryFields, memoryOptions } from "../memory-options.js";
import type { OptionTable } from "../option-table.js";
import { secretOption } from "../options.js";
import { readText } from "../read-text.js";
import { memoryTable } from "../render/memory.js";
import { UsageError } from "../usage-error.js";

/** Between the parts on standard input: a line of three dashes. */
const SEPARATOR = /^---[ \t]*$/m;

const options = (command: OptionTable) => secretOption(memoryOptions(command));

export const split: CommandDefinition<typeof options, [id: string, texts: readonly string[]]> = {
  about:
    "Split a memory into several and hide the original. Options apply to every part; `-` reads the parts from standard input, with a line of --- between them",
  examples: [
    'cambium split 0198c2a4-7d3e "Releases are cut on Thursdays" "Ada announces them"',
    "cambium split 0198c2a4-7d3e - < parts.txt",
  ],
  options,
  act: async (context, [id, texts], options) => {
    const parts =
      texts.length === 1 && texts[0] === "-" ? (await readText("-", context.io)).split(SEPARATOR) : texts;
    const contents = parts.map((part) => part.trim()).filter((part) => part !== "");
    if (contents.length < 2) {
      throw new UsageError("Give at least two texts.", "Put each in quotes, or give `-` and --- lines.");
    }
    const fields = memoryFields(options);
    const inputs = contents.map((content) => ({ ...fields, content }));
    for (const input of inputs) refuseSecrets(input, { allow: options.allowSecret });
    return await context.withSpace(async ({ agent }) => {
      const memories = await agent.split(id, inputs, { branch: context.branch });
      return await context.answer(
        { memories },
        () => `Split into ${memories.length} memories:\n${memoryTable(memories, context.style)}`,
      );
    });
  },
};
