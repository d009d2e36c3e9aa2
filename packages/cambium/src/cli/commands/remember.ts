import { refuseSecrets } from "../../secrets/refuse-secrets.js";
import type { CommandDefinition } from "../command.js";
import { memoryFields, memoryOptions } from "../memory-options.js";
import type { OptionTable } from "../option-table.js";
import { secretOption } from "../options.js";
import { readText } from "../read-text.js";
import { nearLines, writtenReply } from "../render/written-reply.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) => secretOption(memoryOptions(command));

export const remember: CommandDefinition<typeof options, [text: string]> = {
  about: "Add a memory (`-` reads the text from standard input)",
  examples: [
    'cambium remember "Releases are cut on Thursdays" --tag release --category process',
    'cambium remember "Prefers tea in the morning" --kind preference --valid-from 2026-01-01',
    "git log -1 --format=%B | cambium remember - --source kind=git",
  ],
  options,
  act: async (context, [text], options) => {
    const content = await readText(text, context.io);
    if (content.trim() === "") throw new UsageError("There is nothing to remember.", NOTHING);
    const input = { ...memoryFields(options), content };
    refuseSecrets(input, { allow: options.allowSecret });
    return await context.withSpace(async ({ agent, space }) => {
      const { branch, style } = context;
      const memory = await agent.remember(input, { branch });
      return await context.answer(memory, async () => {
        // The write stands, whatever becomes of this.
        const near = await space
          .alike({ id: memory.id }, { branch, limit: NEAR, related: true })
          .catch(() => []);
        return [writtenReply("Remembered", memory, style), ...nearLines(near, style)].join("\n");
      });
    });
  },
};

const NOTHING = 'Type the text after the verb: cambium remember "Releases are cut on Thursdays"';

/** More would hide the reply. */
const NEAR = 3;
