import type { Space } from "@cambium/client";
import type { ConsolidationProposal, Memory } from "@cambium/core";
import { counted, omitUndefined } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { operationId } from "../operation-id.js";
import type { OptionTable } from "../option-table.js";
import { authorOption, unitInterval } from "../options.js";
import { type ConsolidationView, consolidationsText } from "../render/consolidation.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  authorOption(command)
    .option("--threshold <n>", "minimum share of common wording, 0.6 to 1 (default: 0.8)", unitInterval)
    .option("--apply", "combine those that need no review")
    .option("--preview", "only show them, as without --apply")
    .option("--all", "with --apply: also those that need a review");

export const consolidate: CommandDefinition<typeof options> = {
  about:
    "Show memories that say the same or nearly the same, and what a combined memory would contain. With --apply, combine those that do not differ",
  examples: ["cambium consolidate", "cambium consolidate --apply", "cambium consolidate --apply --all"],
  options,
  act: async (context, _args, { threshold, apply = false, preview, all = false }) => {
    if (all && !apply) throw new UsageError("--all works only with --apply.");
    return await context.withSpace(async ({ space, agent }) => {
      const { branch } = context;
      const proposals = await space.duplicates({ branch, ...omitUndefined({ threshold }) });
      if (!apply || preview) return await proposed(proposals, space, context);
      const taken = proposals.filter(({ needsReview }) => all || !needsReview);
      const combined: Memory[] = [];
      const operation = operationId("consolidate");
      for (const proposal of taken) {
        context.io.signal.throwIfAborted();
        combined.push(await agent.consolidate(proposal, { branch, operation }));
      }
      const left = proposals.filter((proposal) => !taken.includes(proposal));
      return await context.answer({ proposals, combined }, () => appliedText(taken, left.length));
    });
  },
};

async function proposed(proposals: readonly ConsolidationProposal[], space: Space, context: Context) {
  return await context.answer({ proposals, combined: [] }, async () => {
    if (proposals.length === 0) {
      return "No two memories say the same. Those that share most of their wording would show here; --threshold 0.6 looks further.";
    }
    const views = await Promise.all(proposals.map((proposal) => viewOf(proposal, space, context.branch)));
    const ready = proposals.filter(({ needsReview }) => !needsReview).length;
    const review = proposals.length - ready;
    return [
      consolidationsText(views, context.style),
      "",
      "Nothing was written.",
      ...(ready > 0
        ? [`--apply combines ${groups(ready)} that ${ready === 1 ? "differs" : "differ"} in nothing.`]
        : []),
      ...(review > 0
        ? [
            `${groups(review)} ${review === 1 ? "needs" : "need"} a second look: --apply --all combines as shown, \`cambium combine\` in your own words.`,
          ]
        : []),
    ].join("\n");
  });
}

async function viewOf(
  proposal: ConsolidationProposal,
  space: Space,
  branch: string | undefined,
): Promise<ConsolidationView> {
  return { proposal, memories: await Promise.all(proposal.ids.map((id) => space.get(id, { branch }))) };
}

function appliedText(taken: readonly ConsolidationProposal[], left: number): string {
  const before = taken.reduce((sum, { ids }) => sum + ids.length, 0);
  const rest =
    left === 0
      ? []
      : [
          `${groups(left)} left that ${left === 1 ? "needs" : "need"} a second look; see \`cambium consolidate\`.`,
        ];
  if (taken.length === 0) return ["Nothing to combine.", ...rest].join("\n");
  const made = counted(taken.length, "memory", "memories");
  return [
    `Made ${made} of ${before}. \`cambium restore <id>\` brings one of those back, \`cambium undo\` all of them.`,
    ...rest,
  ].join("\n");
}

const groups = (count: number): string => counted(count, "group");
