import { omitUndefined, oneLine, printable } from "@cambium/core/text";
import { InvalidArgumentError } from "commander";
import type { Answer } from "../answer.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import type { OptionTable } from "../option-table.js";
import { collect, readOptions } from "../options.js";
import { combinedOf } from "../render/combined.js";
import { historyText } from "../render/history.js";
import { memoryInFull } from "../render/memory.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  readOptions(command)
    .option("--strength", "also its strength today, and how often it was recalled")
    .option("--version <n>", "this version of it, by its number or the beginning of its record")
    .option("--text", "with --version: its text alone, or what is left of it")
    .option(
      "--source <kind>",
      "with --text: ask sources of this kind for it: file, url or email; may be repeated",
      collectSource,
    )
    .option("--before-correction", "the version before its last correction");

const SOURCES: readonly string[] = ["file", "url", "email"];

function collectSource(kind: string, earlier: readonly string[] = []): readonly string[] {
  if (SOURCES.includes(kind)) return collect(kind, earlier);
  throw new InvalidArgumentError(`It is one of ${SOURCES.join(", ")}.`);
}

export const show: CommandDefinition<typeof options, [id: string]> = {
  about: "Show one memory in full, with its open conflicts; or one of its versions",
  examples: [
    "cambium show 0198c2a4-7d3e",
    'cambium show 0198c2a4-7d3e --at "6 months ago"',
    "cambium show 0198c2a4-7d3e --version 2",
    "cambium show 0198c2a4-7d3e --before-correction",
    "cambium show 0198c2a4-7d3e --strength",
  ],
  options,
  act: async (
    context,
    [id],
    { at, strength = false, version, text = false, source, beforeCorrection = false },
  ) => {
    if ([strength, version !== undefined, beforeCorrection].filter((is) => is).length > 1)
      throw new UsageError("Give only one of --strength, --version and --before-correction.");
    if (text || source !== undefined) return await textOf(context, id, version, { at, sources: source });
    if (version !== undefined) return await oneVersion(context, id, version, at);
    if (beforeCorrection) return await corrected(context, id, at);
    return await memoryNow(context, id, strength, at);
  },
};

type At = string | undefined;

async function memoryNow(context: Context, id: string, isWanted: boolean, at: At): Promise<Answer> {
  return await context.withSpace(async ({ space }) => {
    const { branch } = context;
    const memory = await space.get(id, { branch, at });
    const strength = isWanted ? await space.strength(memory.id, { branch, at }) : undefined;
    const isForked = memory.versions > memory.version;
    const combines = isForked ? combinedOf(await space.history(memory.id, { branch, at })) : [];
    const document = strength === undefined ? memory : { ...memory, strength };
    return await context.answer(document, () => memoryInFull(memory, { strength, combines }, context.style));
  });
}

async function oneVersion(context: Context, id: string, version: string, at: At): Promise<Answer> {
  return await context.withSpace(
    async ({ space }) => {
      const found = await space.version(id, version, { branch: context.branch, at });
      return await context.answer(found, () => historyText([found], context.style));
    },
    { summaries: true },
  );
}

async function textOf(
  context: Context,
  id: string,
  version: string | undefined,
  { at, sources }: { readonly at: At; readonly sources: readonly string[] | undefined },
): Promise<Answer> {
  if (version === undefined) throw new UsageError("--text and --source need --version.");
  return await context.withSpace(async ({ space }) => {
    const found = await space.text(id, version, omitUndefined({ branch: context.branch, at, sources }));
    const notes: Readonly<Record<typeof found.how, readonly string[]>> = {
      ...{ whole: [], source: ["Read again from its source."] },
      difference: ["Rebuilt from a later version, on this device."],
      summary: ["Its text is not kept any more. This is its summary."],
      none: [
        found.isErased === true
          ? "It was erased for good."
          : "Its text is not kept any more, and it has no summary.",
      ],
    };
    const lines = [...notes[found.how], ...(found.problem === undefined ? [] : [oneLine(found.problem)])];
    return await context.answer(found, () =>
      [printable(found.text), ...lines.map(context.style.colors.dim)]
        .filter((line) => line !== "")
        .join("\n"),
    );
  });
}

async function corrected(context: Context, id: string, at: At): Promise<Answer> {
  return await context.withSpace(
    async ({ space }) => {
      const found = await space.beforeCorrection(id, { branch: context.branch, at });
      return await context.answer(found ?? null, () => {
        if (found === undefined) return "It was never corrected.";
        const { before, correction, summary, summaryBy } = found;
        const change = { summary, summaryBy };
        return historyText(
          [
            { ...before, parents: [], change },
            { ...correction, change },
          ],
          context.style,
        );
      });
    },
    { summaries: true },
  );
}
