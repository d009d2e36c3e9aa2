import type { DecayOptions, Space } from "@cambium/client";
import type { MemoryId } from "@cambium/core";
import { counted, omitUndefined } from "@cambium/core/text";
import { isConfirmed } from "../ask.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { operationId } from "../operation-id.js";
import type { OptionTable } from "../option-table.js";
import { nonNegative, unitInterval, writeOptions } from "../options.js";
import { type FadedMemory, fadedText } from "../render/retention.js";

const DAY_MS = 86_400_000;

const options = (command: OptionTable) =>
  writeOptions(command)
    .option("--weaker-than <n>", "strength below which a memory has faded (default: 0.25)", unitInterval)
    .option(
      "--keep-days <n>",
      "keep memories written or recalled within this many days (default: 30)",
      nonNegative,
    )
    .option("--apply", "forget the listed memories, after asking")
    .option("--preview", "only show them, as without --apply");

export const decay: CommandDefinition<typeof options> = {
  about:
    "Show memories that have faded, weakest first, and why. With --apply, forget them; `cambium restore` brings each back",
  examples: [
    "cambium decay",
    "cambium decay --weaker-than 0.2 --keep-days 90",
    "cambium decay --apply --yes --json",
  ],
  options,
  act: async (context, _args, { weakerThan, keepDays, apply = false, preview, yes = false, reason }) => {
    const keepRecentMs = keepDays === undefined ? undefined : keepDays * DAY_MS;
    const thresholds = omitUndefined({ weakerThan, keepRecentMs });
    const faded = await context.withSpace(({ space }) =>
      fadedIn(space, { ...thresholds, branch: context.branch }),
    );
    if (!apply || preview || faded.length === 0) return await proposed(faded, context);
    const question = `Forget ${counted(faded.length, "memory", "memories")}?`;
    if (!yes && !(await isConfirmed(fadedText(faded, context.style), question, context.io))) {
      return await context.answer({ proposals: faded, forgotten: [] }, () => "Nothing was forgotten.");
    }
    context.agree();
    const forgotten = await forgetFaded(faded, { thresholds, reason }, context);
    return await context.answer({ proposals: faded, forgotten }, () =>
      [
        `Forgot ${counted(forgotten.length, "memory", "memories")}. \`cambium restore <id>\` brings one back, \`cambium undo\` all of them.`,
        ...(forgotten.length < faded.length ? ["The others were used or changed meanwhile, and stay."] : []),
      ].join("\n"),
    );
  },
};

async function fadedIn(space: Space, thresholds: DecayOptions): Promise<readonly FadedMemory[]> {
  const { branch } = thresholds;
  const proposals = await space.decay(thresholds);
  return await Promise.all(
    proposals.map(async (proposal) => {
      const { content } = await space.get(proposal.id, { branch });
      return { ...proposal, content };
    }),
  );
}

async function proposed(faded: readonly FadedMemory[], context: Context) {
  return await context.answer({ proposals: faded, forgotten: [] }, () =>
    faded.length === 0
      ? "Nothing has faded. Memories show here when they were long not recalled, and are neither important, pinned, linked to nor new."
      : [
          fadedText(faded, context.style),
          "",
          `${counted(faded.length, "memory", "memories")}; nothing was written. To forget them, add --apply; to keep one, \`cambium reinforce <id>\`.`,
        ].join("\n"),
  );
}

/** Nobody else can write while a verb is open, so it is not kept open over a question; what was used meanwhile stays. */
async function forgetFaded(
  faded: readonly FadedMemory[],
  { thresholds, reason }: { readonly thresholds: DecayOptions; readonly reason: string | undefined },
  context: Context,
): Promise<readonly MemoryId[]> {
  return await context.withSpace(async ({ space, agent }) => {
    const listed = new Set(faded.map(({ id }) => id));
    const { branch } = context;
    const still = (await space.decay({ ...thresholds, branch })).filter(({ id }) => listed.has(id));
    const operation = operationId("decay");
    for (const { id, why } of still) {
      context.io.signal.throwIfAborted();
      await agent.forget(id, { branch, operation, reason: reason ?? why });
    }
    return still.map(({ id }) => id);
  });
}
