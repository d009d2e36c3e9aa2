import type { ApprovalRequest, Requests } from "@cambium/client";
import { omitUndefined } from "@cambium/core/text";
import { isConfirmed } from "../ask.js";
import type { CommandDefinition } from "../command.js";
import type { Context, ContextOptions } from "../context.js";
import { spaceOption, yesOption } from "../options.js";
import { decisionLines, requestName, requestTable, requestText } from "../render/requests.js";
import { UsageError } from "../usage-error.js";

interface Options extends ContextOptions {
  readonly preview?: true;
  readonly decline?: true;
  readonly withdraw?: true;
  readonly reason?: string;
  readonly all?: true;
}

const HINT = "Look at it with --preview, then add --yes.";

export const approve: CommandDefinition<Options, [id: string | undefined]> = {
  about:
    "List requests that wait for the owner's approval. With an id, show and decide one. Approving runs exactly what was previewed, or nothing",
  examples: [
    "cambium approve",
    "cambium approve 3c5e8a1b --preview",
    "cambium approve 3c5e8a1b --reason 'Agreed on the phone'",
    "cambium approve 3c5e8a1b --decline --reason 'Not before Friday'",
  ],
  options: (command) =>
    yesOption(spaceOption(command))
      .option("--all", "without an id: also those that were decided")
      .option("--preview", "show what it would do now; decide nothing")
      .option("--decline", "decline it instead")
      .option("--withdraw", "withdraw it; for the agent that asked")
      .option("--reason <text>", "why, for the history")
      .option("--agent <name>", "author of this change (default: the owner)"),
  act: async (context, [id], options) => {
    const { preview, decline, withdraw, yes, all } = options;
    if (decline && withdraw) throw new UsageError("Give --decline or --withdraw, not both.");
    if (id === undefined) return await listed(context, all === true);
    if (preview || !(decline || withdraw)) {
      const shown = await context.withSpace(({ agent }) => agent.requests.preview(id));
      const text = requestText(shown, context.style);
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
  return await context.withSpace(async ({ agent }) => {
    const requests = await agent.requests.list(all ? {} : { state: "open" });
    return await context.answer({ requests }, () =>
      requests.length === 0 ? "Nothing waits for approval." : requestTable(requests, context.style),
    );
  });
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
    return `Approved and run: ${requestName(approved.request)}${change}`;
  });
}

const closedText = (request: ApprovalRequest, { style }: Context): string =>
  [`${requestName(request)} is closed.`, ...decisionLines(request, style)].join("\n");
