import { oneLine } from "@cambium/core/text";
import { exitOfNone } from "../answer.js";
import type { CommandDefinition } from "../command.js";
import { whyEmpty } from "../empty-state.js";
import { filterOf, filterOptions } from "../filter-options.js";
import type { OptionTable } from "../option-table.js";
import { readPeriodOptions } from "../period-options.js";
import { adviceLines, recalledText } from "../render/recalled.js";

const options = (command: OptionTable) =>
  filterOptions(command, 10)
    .option("--no-priors", "rank without recency, importance and usage")
    .option("--no-spelling", "search for the words as they are spelt")
    .option("--scores", "show scores; they are comparable only within one answer");

export const recall: CommandDefinition<typeof options, [words?: readonly string[]]> = {
  about: "Search memories, as they are now or were at any state, best match first",
  examples: [
    "cambium recall release day",
    "cambium recall what did Ada say about the budget last March --limit 3",
    'cambium recall tea --at "last year"',
    "cambium recall address --valid-at 2024-06-01",
    "cambium recall --tag release --not-tag draft --since monday",
  ],
  options,
  act: async (context, [words = []], { priors, spelling, scores = false, ...filters }) =>
    await context.withSpace(
      async ({ space }) => {
        const query = words.length === 0 ? undefined : words.join(" ");
        const period = await readPeriodOptions(filters, context);
        const options = {
          ...filterOf(filters, period),
          branch: context.branch,
          ...(priors ? {} : { priors }),
          ...(spelling ? {} : { spelling }),
        };
        const memories = await space.recall(query, options);
        const { certainty, advice } = memories;
        const text = async (): Promise<string> => {
          const { style, hasEmbedder: byMeaning } = context;
          if (memories.length === 0) {
            const found = advice.length === 0 ? undefined : advice.map(oneLine).join("\n");
            const ifWell = [...advice, SEE_ALL].map(oneLine).join("\n");
            const nothing = await whyEmpty(space, ifWell, context, found);
            return [...period.lines, nothing].join("\n");
          }
          const view = { scores, byMeaning, hasQuery: query !== undefined };
          const found = [recalledText(memories, view, style), ...adviceLines(advice, style)].join("\n\n");
          return [...period.lines, found].join("\n");
        };
        const exit = exitOfNone(memories, filters.by, advice);
        return await context.answer({ memories, certainty, advice, ...period.document }, text, exit);
      },
      { vectors: true },
    ),
};

const SEE_ALL = "`cambium list` shows what is here.";
