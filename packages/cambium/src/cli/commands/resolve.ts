import type { StateField } from "@cambium/core";
import type { CommandDefinition } from "../command.js";
import { parseFieldValue } from "../merge-resolutions.js";
import { collect, type WriteOptions, writeOptions } from "../options.js";
import { readText } from "../read-text.js";
import { writtenReply } from "../render/written-reply.js";
import { UsageError } from "../usage-error.js";

interface Options extends WriteOptions {
  readonly field?: StateField;
  readonly keep?: string;
  readonly content?: string;
  readonly value?: string;
  readonly discard?: readonly string[];
}

export const resolve: CommandDefinition<Options, [id: string]> = {
  about: "Resolve a conflict: keep one value or give a new one, and name every version you discard",
  examples: [
    "cambium resolve 0198c2a4-7d3e --keep 8a1f2b3c4d --discard 5f0c1a2b3c",
    'cambium resolve 0198c2a4-7d3e --content "Releases are cut on Fridays" --discard 8a1f2b3c4d --discard 5f0c1a2b3c',
    "cambium resolve 0198c2a4-7d3e --field tags --value release,weekly --discard 8a1f2b3c4d --discard 5f0c1a2b3c",
  ],
  options: (command) =>
    writeOptions(command)
      .option("--field <field>", "only this field (default: all in conflict)")
      .option("--keep <record>", "the record whose value is kept")
      .option("--content <text>", "a new text instead (`-` reads standard input)")
      .option("--value <value>", "a new value for --field instead")
      .option("--discard <record>", "a record whose value is discarded; name every other one", collect),
  act: async (context, [id], { field, keep, content, value, discard = [], reason }) => {
    if ([keep, content, value].filter((choice) => choice !== undefined).length !== 1) {
      throw new UsageError(
        "Give one of --keep, --content and --value.",
        "`cambium conflicts` lists the records.",
      );
    }
    if (value !== undefined && field === undefined) throw new UsageError("--value needs --field.");
    const own = content === undefined ? undefined : await readText(content, context.io);
    return await context.withSpace(async ({ agent }) => {
      const resolution = {
        ...{ field, keep, content: own, discard, reason },
        ...(value === undefined || field === undefined ? {} : { value: parseFieldValue(field, value) }),
      };
      const memory = await agent.resolve(id, resolution, { branch: context.branch });
      return await context.answer(memory, () => writtenReply("Resolved", memory, context.style));
    });
  },
};
