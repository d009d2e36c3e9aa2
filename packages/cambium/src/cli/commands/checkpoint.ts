import type { Checkpoint } from "@cambium/client";
import { omitUndefined, oneLine, shellWord } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { Context, SpaceUse } from "../context.js";
import type { OptionsOf, OptionTable } from "../option-table.js";
import { writeOptions } from "../options.js";
import { UsageError } from "../usage-error.js";

// Not a verb of its own: `delete` alone would promise more than to give up a name.
const options = (command: OptionTable) =>
  writeOptions(command)
    .option("--description <text>", "what it is")
    .option("--area <area>", "compare and restore only this area")
    .option("--at <ref>", "name a state in the past instead")
    .option("--delete", "delete the name; the state stays in the history")
    .option("--restore", "give a deleted name back");

type Options = OptionsOf<typeof options>;

export const checkpoint: CommandDefinition<typeof options, [name: string]> = {
  about:
    "Name the current state of the branch, to find it and return to it later. Cambium also does this every week, and before merges, imports, rollbacks and other changes of many memories",
  examples: [
    'cambium checkpoint before-cleanup --description "All plots are right"',
    "cambium checkpoint end-of-july --at 2026-07-31",
    "cambium checkpoint work-done --area work",
    "cambium checkpoint before-cleanup --delete",
    "cambium checkpoint before-cleanup --restore",
  ],
  options,
  act: async (context, [name], options) =>
    await context.withSpace(async (use) => {
      if (options.delete === true) return await deleted(name, options, use, context);
      if (options.restore === true) return await restored(name, options, use, context);
      const { description, reason, area, at } = options;
      const made = await use.agent.checkpoints.create({
        ...{ name, branch: context.branch },
        ...omitUndefined({ description, reason, at, scope: area === undefined ? undefined : { area } }),
      });
      return await context.answer(made, () => madeText(made, context));
    }),
};

async function deleted(name: string, options: Options, { agent }: SpaceUse, context: Context) {
  refuseOthers(options, "--delete");
  const gone = await agent.checkpoints.delete(name);
  return await context.answer(
    gone,
    () =>
      `Deleted the checkpoint ${oneLine(gone.name)}. What it named stays in the history of ${oneLine(gone.branch)}.`,
  );
}

async function restored(name: string, options: Options, { agent }: SpaceUse, context: Context) {
  refuseOthers(options, "--restore");
  const back = await agent.checkpoints.restore(name);
  return await context.answer(
    back,
    () => `The checkpoint ${oneLine(back.name)} of ${oneLine(back.branch)} is there.`,
  );
}

function refuseOthers({ description, reason, area, at }: Options, option: string): void {
  if ([description, reason, area, at].some((value) => value !== undefined))
    throw new UsageError(`${option} takes only the name.`);
}

function madeText({ name, branch, scope }: Checkpoint, { style }: Context): string {
  const shown = oneLine(name);
  const ref = shellWord(`checkpoint:${shown}`);
  const part = scope === "full" ? "" : `, the area ${oneLine(scope.area)}`;
  return [
    `Made the checkpoint ${style.colors.green(shown)} of ${oneLine(branch)}${part}`,
    `Look at it with --at ${ref}; go back to it with \`cambium rollback ${ref}\`.`,
  ].join("\n");
}
