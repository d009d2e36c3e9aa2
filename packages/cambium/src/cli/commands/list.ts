import type { CommandDefinition } from "../command.js";
import { whyEmpty } from "../empty-state.js";
import { type FilterOptions, filterOptions } from "../options.js";
import { marksNote, memoryTable } from "../render/memory.js";

interface Options extends FilterOptions {
  readonly tag?: string;
  readonly deleted?: true;
  readonly cursor?: string;
}

export const list: CommandDefinition<Options> = {
  about: "List memories, as they are now or were at any state",
  examples: [
    "cambium list",
    "cambium list --tag release --at 2026-08-01",
    "cambium list --branch work-persona",
  ],
  options: (command) =>
    filterOptions(command)
      .option("--tag <tag>", "only with this tag")
      .option("--deleted", "include forgotten memories")
      .option("--cursor <cursor>", "continue where the previous page ended"),
  act: async (context, _args, { category, tag, kind, area, at, deleted, limit, cursor }) =>
    await context.withSpace(async ({ space }) => {
      const filter = { category, tag, kind, area };
      const page = await space.list({ branch: context.branch, at, ...filter, deleted, limit, cursor });
      return await context.answer(page, async () => {
        if (page.memories.length === 0) {
          const isFiltered = Object.values({ ...filter, at }).some((value) => value !== undefined);
          return await whyEmpty(space, isFiltered ? NO_MATCH : NOTHING_YET, context);
        }
        const more = page.cursor === undefined ? [] : [`More: add --cursor ${page.cursor}`];
        const { style } = context;
        return [memoryTable(page.memories, style), ...marksNote(page.memories, style), ...more].join("\n");
      });
    }),
};

const NO_MATCH = "No memory matches. Leave out an option, or look at another state with --at.";
const NOTHING_YET = [
  "There are no memories here yet. Start with:",
  '  $ cambium remember "Releases are cut on Thursdays"',
  "  $ cambium import CLAUDE.md",
].join("\n");
