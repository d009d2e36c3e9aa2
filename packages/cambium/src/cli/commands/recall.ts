import { omitUndefined } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import { whyEmpty } from "../empty-state.js";
import { collect, type FilterOptions, filterOptions } from "../options.js";
import { type PeriodOptions, periodOptions, readPeriodOptions } from "../period-options.js";
import { recalledText } from "../render/recalled.js";

interface Options extends FilterOptions, PeriodOptions {
  readonly tag?: readonly string[];
  readonly by?: string;
  readonly validAt?: string;
  readonly priors: boolean;
  readonly scores?: true;
}

export const recall: CommandDefinition<Options, [words: readonly string[]]> = {
  about: "Search memories, as they are now or were at any state, best match first",
  examples: [
    "cambium recall release day",
    "cambium recall what did Ada say about the budget last March --limit 3",
    'cambium recall tea --at "last year"',
    "cambium recall address --valid-at 2024-06-01",
  ],
  options: (command) =>
    periodOptions(filterOptions(command), "what happened (if unknown: was written)")
      .option("--tag <tag>", "only with this tag; repeat it to require several", collect)
      .option("--by <agent>", "only what this agent wrote")
      .option("--valid-at <date>", "only what was true at this time; --at selects what was known then")
      .option("--no-priors", "rank without recency, importance and usage")
      .option("--scores", "show scores; they are comparable only within one answer"),
  act: async (context, [words], { tag: tags, by: agent, priors, scores = false, ...filters }) =>
    await context.withSpace(
      async ({ space }) => {
        const { category, kind, area, at, validAt, limit } = filters;
        const period = await readPeriodOptions(filters, context);
        const { since, until } = period;
        const wanted = omitUndefined({ category, kind, area, at, validAt, since, until, limit, tags, agent });
        const options = { ...wanted, branch: context.branch, ...(priors ? {} : { priors }) };
        const memories = await space.recall(words.join(" "), options);
        return await context.answer({ memories, ...period.document }, async () =>
          memories.length === 0
            ? [...period.lines, await whyEmpty(space, NOTHING_FOUND, context)].join("\n")
            : [
                ...period.lines,
                recalledText(memories, { scores, byMeaning: context.hasEmbedder }, context.style),
              ].join("\n"),
        );
      },
      { vectors: true },
    ),
};

const NOTHING_FOUND = "Nothing found. Try fewer or other words, leave out an option, or see `cambium list`.";
