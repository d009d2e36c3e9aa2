import { changesInWords, omitUndefined, oneLine } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { Context, SpaceUse } from "../context.js";
import type { OptionTable } from "../option-table.js";
import { branchOption } from "../options.js";
import { changesText } from "../render/changes.js";
import { checkpointTable } from "../render/checkpoints.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  branchOption(command)
    .option("--all", "include automatic checkpoints")
    .option("--compare <names...>", "what differs between two of them, or one and now");

export const checkpoints: CommandDefinition<typeof options> = {
  about:
    "List the checkpoints made by hand, newest first. With --compare, show the differences between two, or since one",
  examples: [
    "cambium checkpoints",
    "cambium checkpoints --all --json",
    "cambium checkpoints --compare before-cleanup",
    "cambium checkpoints --compare before-cleanup after-cleanup",
  ],
  options,
  act: async (context, _args, { all = false, compare }) =>
    await context.withSpace(async (use) =>
      compare === undefined ? await listed(all, use, context) : await compared(compare, use, context),
    ),
};

async function listed(all: boolean, { space }: SpaceUse, context: Context) {
  const found = await space.checkpoints.list(omitUndefined({ branch: context.branch }));
  const byHand = found.filter(({ cause }) => cause === "manual");
  const shown = all ? found : byHand;
  const automatic = found.length - byHand.length;
  return await context.answer({ checkpoints: shown }, () => {
    if (found.length === 0) return "No checkpoints yet. Make one with `cambium checkpoint <name>`.";
    const others = all || automatic === 0 ? [] : [automaticText(automatic, context)];
    if (shown.length === 0) return [`No checkpoint was made by hand.`, ...others].join("\n");
    return [checkpointTable(shown, context.style), ...others].join("\n");
  });
}

const automaticText = (count: number, { style }: Context): string =>
  style.colors.dim(`${count} more Cambium made by itself: \`cambium checkpoints --all\``);

async function compared([from = "", to, ...more]: readonly string[], { space }: SpaceUse, context: Context) {
  if (more.length > 0) throw new UsageError("--compare takes one checkpoint, or two.");
  const result = await space.checkpoints.compare(from, to);
  const { style } = context;
  return await context.answer(result, () => {
    const refs = `${oneLine(result.from.ref)} → ${oneLine(result.to.ref)}`;
    const head = `${style.colors.bold(refs)}: ${changesInWords(result)}`;
    return [head, changesText(result, style)].filter((part) => part !== "").join("\n\n");
  });
}
