import type { MergeResult, MergeScope, MergeStrategy } from "@cambium/client";
import { omitUndefined } from "@cambium/core/text";
import { Option } from "commander";
import type { CommandDefinition } from "../command.js";
import type { ContextOptions } from "../context.js";
import { type LabelOptions, labelOptions, labelsOf } from "../filter-options.js";
import { parseResolutions } from "../merge-resolutions.js";
import { collect, spaceOption } from "../options.js";
import { mergeText } from "../render/merge.js";

interface Options extends ContextOptions, LabelOptions {
  readonly into?: string;
  readonly id?: readonly string[];
  readonly query?: string;
  readonly preview?: true;
  readonly strategy?: MergeStrategy;
  readonly resolve?: readonly string[];
  readonly again?: "yes" | "no";
  readonly reason?: string;
}

const CONFLICT_EXIT = 4;

export const merge: CommandDefinition<Options, [source: string]> = {
  about:
    "Merge a branch into another, field by field. If there is a conflict, nothing is written and the exit code is 4",
  examples: [
    "cambium merge work-persona --preview",
    "cambium merge work-persona --strategy newest",
    "cambium merge work-persona --category decision --preview",
    "cambium merge work-persona --resolve 0198c2a4-7d3e.category=target --resolve 0198c2a4-81b0=both",
    "cambium merge work-persona --resolve '0198c2a4-7d3e.content=value:Releases are cut on Fridays'",
  ],
  options: (command) =>
    labelOptions(spaceOption(command))
      .option("--into <branch>", "the branch to merge into (default: main)")
      .option("--id <id>", "only this memory; may be repeated", collect)
      .option("--query <words>", "only what recall finds on the source")
      .option("--preview", "show what would happen; write nothing")
      .addOption(
        new Option("--strategy <strategy>", "which side wins if both set the same field").choices([
          "source",
          "target",
          "newest",
          "both",
          "manual",
        ]),
      )
      .option("--resolve <id[.field]=how>", "decide one memory or field; may be repeated", collect)
      .addOption(
        new Option("--again <answer>", "after an undone merge: bring back what was reverted?").choices([
          "yes",
          "no",
        ]),
      )
      .option("--reason <text>", "why, for the log")
      .option("--agent <name>", "author of this change (default: cli)")
      .option("--yes", "do not ask"),
  act: async (context, [from], options) => {
    const { into, preview, strategy, resolve = [], again, reason } = options;
    const only = scopeOf(options);
    const resolutions = parseResolutions(resolve);
    return await context.withSpace(async ({ agent }) => {
      const result: MergeResult = await agent.merge({
        ...{ from, into, strategy, preview, reason, ...(only === undefined ? {} : { only }) },
        resolutions,
        again: again === undefined ? undefined : again === "yes",
        signal: context.io.signal,
      });
      const exit = result.status === "conflict" ? CONFLICT_EXIT : 0;
      return await context.answer(result, () => mergeText(result, context.style), exit);
    });
  },
};

/** @returns undefined when the whole branch is meant */
function scopeOf({ id: ids, query, ...labels }: Options): MergeScope | undefined {
  const scope = { ...labelsOf(labels), ...omitUndefined({ ids, query }) };
  return Object.keys(scope).length === 0 ? undefined : scope;
}
