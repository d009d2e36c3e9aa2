import { changesInWords, omitUndefined } from "@cambium/core/text";
import { refText } from "../../ask/period-used.js";
import type { Answer } from "../answer.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import type { OptionTable } from "../option-table.js";
import { branchOption, waitOption } from "../options.js";
import { changesText } from "../render/changes.js";
import { comparisonText } from "../render/comparison.js";
import { UsageError } from "../usage-error.js";
import { withSummaries } from "../wait-for-summaries.js";

const options = (command: OptionTable) =>
  waitOption(branchOption(command))
    .option("--memory <id>", "compare versions of this memory, by number (default: the last two)")
    .option("--patch", "with --memory: print only a JSON Patch (RFC 6902)");

export const diff: CommandDefinition<typeof options, [from?: string, to?: string]> = {
  about:
    "Compare two states word by word. Default for the second: the branch as it is now. With --memory, compare two versions of a memory",
  examples: [
    "cambium diff main work-persona",
    "cambium diff main@2026-08-01",
    "cambium diff 'main@\"6 months ago\"' main@yesterday",
    "cambium diff --memory 0198c2a4-7d3e",
    "cambium diff --memory 0198c2a4-7d3e 1 3 --patch",
  ],
  options,
  act: async (context, [from, to], { memory, patch = false, wait = false }) => {
    if (memory !== undefined) return await versions(context, { memory, from, to, patch, wait });
    if (from === undefined) throw new UsageError("Give a state to compare, or a memory with --memory.");
    if (patch) throw new UsageError("--patch is for versions of a memory: add --memory.");
    return await states(context, from, to);
  },
};

async function states(context: Context, from: string, to: string | undefined): Promise<Answer> {
  return await context.withSpace(async ({ space }) => {
    const result = await space.diff(from, to ?? context.branch);
    const { style } = context;
    return await context.answer(result, () => {
      const head = `${style.colors.bold(`${refText(result.from.ref)} → ${refText(result.to.ref)}`)}: ${changesInWords(result)}`;
      return [head, changesText(result, style)].filter((part) => part !== "").join("\n\n");
    });
  });
}

interface VersionsAsked {
  readonly memory: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly patch: boolean;
  readonly wait: boolean;
}

async function versions(context: Context, { memory, from, to, patch, wait }: VersionsAsked): Promise<Answer> {
  return await context.withSpace(
    async ({ space }) => {
      const ask = () => space.compare(memory, { branch: context.branch, ...omitUndefined({ from, to }) });
      const compared = await withSummaries(ask, { space, io: context.io, wait });
      return patch
        ? await context.answer(compared.patch, () => JSON.stringify(compared.patch, undefined, 2))
        : await context.answer(compared, () => comparisonText(compared, context.style));
    },
    { summaries: true },
  );
}
