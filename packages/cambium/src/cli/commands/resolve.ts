import type { Agent } from "@cambium/client";
import type { StateField } from "@cambium/core";
import { shortIds } from "@cambium/core/text";
import { refuseSecrets } from "../../secrets/refuse-secrets.js";
import type { Answer } from "../answer.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { decideConflict } from "../decide-conflict.js";
import { parseFieldValue } from "../merge-resolutions.js";
import type { OptionsOf, OptionTable } from "../option-table.js";
import { collect, secretOption, writeOptions } from "../options.js";
import { readText } from "../read-text.js";
import { conflictsOfMemory, conflictTitle, type MemoryInConflict, resolveHint } from "../render/conflict.js";
import { writtenReply } from "../render/written-reply.js";
import { UsageError } from "../usage-error.js";

/** A name that is no field is refused by the library. */
const asField = (name: string) => name as StateField;

const options = (command: OptionTable) =>
  secretOption(writeOptions(command))
    .option("--field <field>", "only this field (default: all in conflict)", asField)
    .option("--keep <record>", "the record whose value is kept")
    .option("--content <text>", "a new text instead (`-` reads standard input)")
    .option("--value <value>", "a new value for --field instead")
    .option("--discard <record>", "a record whose value is discarded; name every other one", collect);

type Options = OptionsOf<typeof options>;

export const resolve: CommandDefinition<typeof options, [id: string | undefined]> = {
  about:
    "Decide conflicts. At a terminal, shows the base and every value and asks which one stays. In a script, keep one value or give a new one, and name every version you discard",
  examples: [
    "cambium resolve",
    "cambium resolve 0198c2a4-7d3e",
    "cambium resolve 0198c2a4-7d3e --keep 8a1f2b3c4d --discard 5f0c1a2b3c",
    'cambium resolve 0198c2a4-7d3e --content "Releases are cut on Fridays" --discard 8a1f2b3c4d --discard 5f0c1a2b3c',
    "cambium resolve 0198c2a4-7d3e --field tags --value release,weekly --discard 8a1f2b3c4d --discard 5f0c1a2b3c",
  ],
  options,
  act: async (context, [id], options) => {
    const { field, keep, content, value, discard = [], reason } = options;
    const values = [keep, content, value].filter((choice) => choice !== undefined);
    if (values.length === 0 && discard.length === 0) return await decideOpen(context, id, options);
    if (values.length !== 1 || id === undefined) {
      throw new UsageError(
        id === undefined ? "Name the memory." : "Give one of --keep, --content and --value.",
        "`cambium conflicts` lists them, with the records.",
      );
    }
    if (value !== undefined && field === undefined) throw new UsageError("--value needs --field.");
    await refuseNumbers(context, id, options);
    const own = content === undefined ? undefined : await readText(content, context.io);
    refuseSecrets({ content: own, value, reason }, { allow: options.allowSecret });
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

const CONFLICT_EXIT = 4;

/** One after the other at a terminal; elsewhere they are shown, with the commands that decide them. */
async function decideOpen(context: Context, id: string | undefined, options: Options): Promise<Answer> {
  const found = await openConflicts(context, id, options.field);
  if (found.length === 0)
    return await context.answer({ conflicts: [] }, () =>
      id === undefined ? "There are no open conflicts." : "Nothing is in conflict there.",
    );
  const short = shortIds(found.map((memory) => memory.id));
  if (!context.io.errors.isTerminal || context.json) {
    const shown = () =>
      [
        ...found.map((memory) => conflictsOfMemory(memory, short, context.style)),
        "Nothing was decided: there is no terminal to ask on. Decide with one of these commands.",
      ].join("\n\n");
    return await context.answer({ conflicts: found }, shown, CONFLICT_EXIT);
  }
  const replies: string[] = [];
  let open = 0;
  for (const memory of found) {
    const title = conflictTitle(memory, short, context.style);
    for (const conflict of memory.fields) {
      const decision = await decideConflict(conflict, { title }, context);
      if (decision === undefined) open += 1;
      else {
        const records = conflict.values.map(({ record }) => record);
        const kept = "keep" in decision ? decision.keep.record : undefined;
        const written = await write(context, memory.id, {
          ...{ field: conflict.field, keep: kept, reason: options.reason },
          discard: records.filter((record) => record !== kept),
          ...(kept === undefined && "own" in decision ? ownValue(conflict.field, decision.own) : {}),
        });
        replies.push(writtenReply("Resolved", written, context.style));
      }
    }
  }
  if (open > 0) replies.push(`${open} left open.`);
  return await context.answer(undefined, () => replies.join("\n"), open === 0 ? 0 : CONFLICT_EXIT);
}

async function openConflicts(context: Context, id: string | undefined, field?: StateField) {
  const found = await context.withSpace(async ({ space }): Promise<readonly MemoryInConflict[]> => {
    const { branch } = context;
    if (id === undefined) return await space.conflicts({ branch });
    const memory = await space.get(id, { branch });
    return [{ id: memory.id, fields: memory.conflicts, memory }];
  });
  return found
    .map((memory) => ({
      ...memory,
      fields: memory.fields.filter((conflict) => field === undefined || conflict.field === field),
    }))
    .filter(({ fields }) => fields.length > 0);
}

/** Numbers count what a list showed; meanwhile another side may have come, and nobody discards what was not seen. */
async function refuseNumbers(context: Context, id: string, { field, keep, discard = [] }: Options) {
  const number = [keep, ...discard].find((name) => name !== undefined && /^\d{1,2}$/.test(name));
  if (number === undefined) return;
  const [found] = await openConflicts(context, id, field);
  const commands = found === undefined ? [] : [resolveHint(id, found.fields, context.style)];
  throw new UsageError(
    `A version is named by its record here, not by the number ${number}.`,
    commands.length === 0 ? "`cambium conflicts` shows the records." : commands.join("\n").trim(),
  );
}

const write = async (context: Context, id: string, resolution: Parameters<Agent["resolve"]>[1]) =>
  await context.withSpace(({ agent }) => agent.resolve(id, resolution, { branch: context.branch }));

const ownValue = (field: StateField, own: unknown) =>
  field === "content" ? { content: String(own) } : { value: own };
