import type { CommandDefinition } from "../command.js";
import { type FilterOptions, filterOptions } from "../options.js";
import { recalledText } from "../render/recalled.js";

export const recall: CommandDefinition<FilterOptions, [words: readonly string[]]> = {
  about: "Search memories, as they are now or were at any state; the best match comes first",
  examples: ["cambium recall release day", 'cambium recall tea --limit 3 --at "last year"'],
  options: filterOptions,
  act: async (context, [words], { category, tag, kind, area, at, limit }) =>
    await context.withSpace(async ({ space }) => {
      const query = words.join(" ");
      const options = { branch: context.branch, at, category, tag, kind, area, limit };
      const memories = await space.recall(query, options);
      return await context.answer({ memories }, () =>
        memories.length === 0
          ? "Nothing found. Try fewer or other words, or `cambium list`."
          : recalledText(memories, words, context.style),
      );
    }),
};
