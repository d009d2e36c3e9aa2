import type { ApprovalRequest, Requests, SpaceReader } from "@cambium/client";
import { omitUndefined, oneLine } from "@cambium/core/text";
import { isConfirmed } from "../ask.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import type { OptionsOf, OptionTable } from "../option-table.js";
import { agentOption, reasonOption, spaceOption, yesOption } from "../options.js";
import {
  callerText,
  decisionLines,
  type MemoryWords,
  requestName,
  requestTable,
  requestText,
} from "../render/requests.js";
import { UsageError } from "../usage-error.js";

const HINT = "Look at it with --preview, then add --yes.";

const options = (command: OptionTable) =>
  agentOption(reasonOption(yesOption(spaceOption(command))), "the owner")
    .option("--all", "without an id: also those that were decided, and how")
    .option("--preview", "show what it would do now; decide nothing")
    .option("--decline", "decline it instead")
    .option("--withdraw", "withdraw it; for the agent that asked");

type Options = OptionsOf<typeof options>;

export const approve: CommandDefinition<typeof options, [id: string | undefined]> = {
  about:
    "List requests that wait for the owner's approval. With an id, show and decide one. Approving runs exactly what was previewed, or nothing",
  examples: [
    "cambium approve",
    "cambium approve 3c5e8a1b --preview",
    "cambium approve 3c5e8a1b --reason 'Agreed on the phone'",
    "cambium approve 3c5e8a1b --decline --reason 'Not before Friday'",
  ],
  options,
  act: async (context, [id], options) => {
    const { preview, decline, withdraw, yes, all } = options;
    if (decline && withdraw) throw new UsageError("Give --decline or --withdraw, not both.");
    if (id === undefined) return await listed(context, all === true);
    if (preview || !(decline || withdraw)) {
      const { shown, words } = await context.withSpace(async ({ agent, space }) => {
        const preview = await agent.requests.preview(id);
        return { shown: preview, words: await wordsOf(preview.request, WORDS_SHOWN, space) };
      });
      const text = requestText(shown, words, context.style);
      const canRun = shown.problem === undefined;
      if (preview || !canRun)
        return await context.answer(shown, () => text, preview || canRun ? 0 : CLOSED_EXIT);
      if (!yes && !(await isConfirmed(text, "Approve?", context.io, HINT)))
        return await context.answer(shown, () => "Nothing was decided.");
      context.agree();
    }
    return await context.withSpace(({ agent }) => decided(agent.requests, id, options, context));
  },
};

const CLOSED_EXIT = 4;

async function listed(context: Context, all: boolean) {
  return await context.withSpace(async ({ agent, space }) => {
    const requests = await agent.requests.list(all ? {} : { state: "open" });
    return await context.answer({ requests }, async () => {
      if (requests.length === 0) return "Nothing waits for approval.";
      const shown = await Promise.all(
        requests.map(async (request) => ({ request, words: await wordsOf(request, 1, space) })),
      );
      return requestTable(shown, context.style);
    });
  });
}

const WORDS_SHOWN = 5;

/** What the first memories say that it is about; of some nothing may be here. */
async function wordsOf(
  { branch, preview: { ids } }: ApprovalRequest,
  most: number,
  space: SpaceReader,
): Promise<readonly MemoryWords[]> {
  const found = ids.slice(0, most).map(async (id) => {
    const memory = await space.get(id, omitUndefined({ branch })).catch(() => undefined);
    return { id, text: memory?.content ?? "" };
  });
  return await Promise.all(found);
}

async function decided(requests: Requests, id: string, options: Options, context: Context) {
  const { style } = context;
  const why = omitUndefined({ reason: options.reason });
  if (options.decline || options.withdraw) {
    const request = options.decline ? await requests.decline(id, why) : await requests.withdraw(id, why);
    return await context.answer(request, () => closedText(request, context));
  }
  const approved = await requests.approve(id, why);
  return await context.answer(approved, () => {
    const change =
      approved.change === undefined ? "" : `, change ${style.colors.yellow(approved.change.slice(0, 10))}`;
    const { operation, by } = approved.request;
    return `Approved and run: ${requestName(approved.request)}, ${oneLine(operation)} by ${callerText(by)}${change}`;
  });
}

const closedText = (request: ApprovalRequest, { style }: Context): string =>
  [`${requestName(request)} is closed.`, ...decisionLines(request, style)].join("\n");
