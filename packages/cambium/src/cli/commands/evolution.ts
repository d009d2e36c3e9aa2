import type { EvolutionTopic } from "@cambium/client";
import { omitUndefined } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { branchOption, positiveInteger, waitOption } from "../options.js";
import { periodOptions, readPeriodOptions } from "../period-options.js";
import { evolutionText } from "../render/evolution.js";
import { UsageError } from "../usage-error.js";
import { withSummaries } from "../wait-for-summaries.js";

const options = (command: OptionTable) =>
  periodOptions(waitOption(branchOption(command)), "what was written")
    .option("--id <id>", "the evolution of one memory")
    .option("--category <name>", "the evolution of a category")
    .option("--limit <n>", "at most this many memories (default: 20)", positiveInteger);

export const evolution: CommandDefinition<typeof options, [words: readonly string[]]> = {
  about: "Show step by step how the knowledge about a topic changed, and what was superseded and why",
  examples: [
    "cambium evolution release day",
    "cambium evolution --id 0198c2a4-7d3e",
    'cambium evolution --category plan --since "last year" --until 2026-06-30',
  ],
  options,
  act: async (context, [words], { id, category, limit, wait = false, ...times }) => {
    const topic = topicOf(words.join(" ").trim(), id, category);
    return await context.withSpace(
      async ({ space }) => {
        const period = await readPeriodOptions(times, context);
        const { since: from, until: to } = period;
        const options = { branch: context.branch, ...omitUndefined({ from, to, limit }) };
        const ask = () => space.evolution(topic, options);
        const outcome = await withSummaries(ask, { space, io: context.io, wait });
        return await context.answer({ ...outcome, ...period.document }, () =>
          [...period.lines, evolutionText(outcome, context.style)].join("\n"),
        );
      },
      { summaries: true },
    );
  },
};

function topicOf(query: string, id: string | undefined, category: string | undefined): EvolutionTopic {
  const topics: readonly EvolutionTopic[] = [
    ...(query === "" ? [] : [query]),
    ...(id === undefined ? [] : [{ id }]),
    ...(category === undefined ? [] : [{ category }]),
  ];
  const [topic] = topics;
  if (topic === undefined || topics.length > 1)
    throw new UsageError("Give one of: words to search for, --id, --category.");
  return topic;
}
