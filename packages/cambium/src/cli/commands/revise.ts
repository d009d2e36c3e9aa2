import type { ReviseInput } from "@cambium/client";
import type { Memory } from "@cambium/core";
import { oneLine } from "@cambium/core/text";
import { refuseSecrets } from "../../secrets/refuse-secrets.js";
import type { CommandDefinition } from "../command.js";
import { clearedFields, memoryFields, memoryOptions } from "../memory-options.js";
import { choice, type OptionTable } from "../option-table.js";
import { collect, secretOption } from "../options.js";
import { readText } from "../read-text.js";
import { writtenReply } from "../render/written-reply.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  memoryOptions(
    secretOption(command)
      .addOption(choice("--type <type>", "what kind of revision it is", ["update", "enrich", "correct"]))
      .option("--clear <field>", "clear a field; may be repeated", collect)
      .option("--expect <record>", "fail if the memory has a newer record than this"),
  );

const SETS = ["tags", "aliases"] as const;

/** What was given takes the place of all that was there. */
const droppedLines = (
  before: Memory,
  after: Memory,
  replaced: readonly (typeof SETS)[number][],
): readonly string[] =>
  replaced.flatMap((field) => {
    const gone = before[field].filter((value) => !after[field].includes(value));
    return gone.length === 0
      ? []
      : [`No longer there: ${field} ${gone.map(oneLine).join(", ")}. To keep them, name them as well.`];
  });

export const revise: CommandDefinition<typeof options, [id: string, text?: string]> = {
  about:
    "Write a new version of a memory: a new text (`-` reads standard input), new fields, or both. Tags, aliases and links that are given take the place of those that were there",
  examples: [
    'cambium revise 0198c2a4-7d3e "Releases are cut on Fridays" --reason "moved in August"',
    "cambium revise 0198c2a4-7d3e --category process --clear validUntil",
    'cambium revise 0198c2a4-7d3e "…" --expect 8a1f2b3c4d',
  ],
  options,
  act: async (context, [id, text], options) => {
    const { type, clear = [], expect } = options;
    const fields = memoryFields(options);
    const input: ReviseInput = {
      ...fields,
      ...clearedFields(clear, fields),
      ...(text === undefined ? {} : { content: await readText(text, context.io) }),
    };
    if (Object.keys(input).every((field) => field === "reason")) {
      throw new UsageError("There is nothing to revise.", "Give a new text, a field to set, or --clear.");
    }
    refuseSecrets(input, { allow: options.allowSecret });
    return await context.withSpace(async ({ agent, space }) => {
      const { branch } = context;
      const replaced = SETS.filter((field) => field in fields);
      const before = replaced.length === 0 ? undefined : await space.get(id, { branch });
      const revision = { ...input, ...(type === undefined ? {} : { type }) };
      const memory = await agent.revise(id, revision, {
        branch,
        ...(expect === undefined ? {} : { expect }),
      });
      return await context.answer(memory, () =>
        [
          writtenReply("Revised", memory, context.style),
          ...(before === undefined ? [] : droppedLines(before, memory, replaced)),
        ].join("\n"),
      );
    });
  },
};
