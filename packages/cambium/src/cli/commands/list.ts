import { omitUndefined } from "@cambium/core/text";
import { exitOfNone } from "../answer.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { whyEmpty } from "../empty-state.js";
import { filterOf, filterOptions } from "../filter-options.js";
import { choice, type OptionTable } from "../option-table.js";
import { readPeriodOptions } from "../period-options.js";
import { marksNote, memoryTable } from "../render/memory.js";
import { adviceLines } from "../render/recalled.js";

const options = (command: OptionTable) =>
  filterOptions(command, 100)
    .option("--deleted", "only forgotten memories")
    .option("--all", "forgotten memories, too")
    .option("--concealed", "what `cambium forget --no-trace` has concealed, for the owner only")
    .addOption(
      choice("--sort <order>", "the order: changed (default), created, name or strength", [
        ...(["changed", "created", "name", "strength"] as const),
      ]),
    )
    .option("--cursor <cursor>", "continue where the previous page ended");

export const list: CommandDefinition<typeof options> = {
  about: "List memories, as they are now or were at any state",
  examples: [
    "cambium list",
    "cambium list --tag release --at 2026-08-01",
    "cambium list --branch work-persona",
    "cambium list --deleted",
    "cambium list --concealed",
    "cambium list --sort strength --limit 20",
  ],
  options,
  act: async (context, _args, asked) => {
    const { concealed, deleted: forgotten, all: deleted, sort: order, cursor, ...filters } = asked;
    if (concealed) return await (await import("../conceal-memories.js")).listConcealed(context);
    return await context.withSpace(async ({ space }) => {
      const period = await readPeriodOptions(filters, context);
      const { limit, ...filter } = filterOf(filters, period);
      const page = await space.list({
        branch: context.branch,
        ...filter,
        ...omitUndefined({ deleted, forgotten, order }),
        limit,
        cursor,
      });
      const { style } = context;
      const advice = adviceLines(page.advice, style);
      const text = async (): Promise<string> => {
        if (page.memories.length === 0) {
          const isFiltered = Object.keys(filter).length > 0;
          const asked = Object.keys(filter).join() === "at" ? NONE_THEN : isFiltered ? NO_MATCH : undefined;
          const ifWell = asked ?? (forgotten ? NONE_FORGOTTEN : NOTHING_YET);
          const why = await whyEmpty(space, [ifWell, ...advice].join("\n"), context, asked);
          return [...period.lines, why].join("\n");
        }
        const more = page.cursor === undefined ? [] : moreLines(page.cursor, context);
        const table = memoryTable(page.memories, style);
        return [...period.lines, table, ...marksNote(page.memories, style), ...more, ...advice].join("\n");
      };
      const exit = exitOfNone(page.memories, filters.by, page.advice);
      return await context.answer({ ...page, ...period.document }, text, exit);
    });
  },
};

function moreLines(cursor: string, context: Context): readonly string[] {
  const { colors } = context.style;
  return [
    "There are more: add --limit, or go on with",
    `  ${colors.dim("$")} ${context.commandWith("--cursor", cursor)}`,
  ];
}

const NONE_FORGOTTEN = "Nothing is forgotten here.";
const NONE_THEN = "There was no memory in that state.";
const NO_MATCH = "No memory matches. Leave out an option, or look at another state with --at.";
const NOTHING_YET = [
  "There are no memories here yet. Start with:",
  '  $ cambium remember "Releases are cut on Thursdays"',
  "  $ cambium import CLAUDE.md",
].join("\n");
