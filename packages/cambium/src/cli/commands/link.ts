import type { LinkedRelay } from "@cambium/client";
import { oneLine } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import type { OptionTable } from "../option-table.js";
import { spaceOption } from "../options.js";
import { relayAccess, TOKEN_OPTION } from "../relay-token.js";
import { type FirstSync, firstSync, firstSyncText } from "../sync-wait.js";

const options = (command: OptionTable) =>
  spaceOption(command).option(
    TOKEN_OPTION,
    "the relay's admin token, or one of the space (or CAMBIUM_RELAY_TOKEN)",
  );

export const link: CommandDefinition<typeof options, [url: string]> = {
  about:
    "Link the space to a relay and send everything to it. Also moves it to another relay, and fills a relay that lost its data",
  examples: [
    "cambium link http://127.0.0.1:4141 --token <admin token of the relay>",
    "cambium link https://relay.example --space team",
  ],
  options,
  act: async (context, [url], options) => {
    const access = await relayAccess(url, options.token, context);
    return await context.withSpace(async ({ space, agent }) => {
      const linked = await agent.link(access);
      const synced = await firstSync(space, context);
      const document = { ...linked, isInSync: synced.isInSync, sync: synced.status.relay };
      return await context.answer(document, () => linkedText(linked, { name: space.name, synced }, context));
    });
  },
};

interface Linked {
  readonly name: string;
  readonly synced: FirstSync;
}

function linkedText({ url, isNew, before }: LinkedRelay, { name, synced }: Linked, context: Context): string {
  const { colors } = context.style;
  const isMoved = before !== null && before !== url;
  const found = isNew ? "" : " It had the space already.";
  const next = [...(synced.isInSync ? [] : ["cambium sync"]), "cambium invite --role write"].map(
    (command) => command + context.spaceWords,
  );
  return [
    `Linked the space ${colors.bold(oneLine(name))} to ${oneLine(url)}.${found}`,
    firstSyncText(synced, context),
    ...(isMoved
      ? [
          `Other devices are still linked to ${oneLine(before)}, which keeps its copy. Each moves with an invitation of its own, and brings what it has.`,
        ]
      : []),
    ...(!isMoved && before !== null && isNew
      ? ["Other devices need a new invitation: the relay no longer knows their tokens."]
      : []),
    "Next:",
    ...next.map((command) => `  ${colors.dim("$")} ${command}`),
  ].join("\n");
}
