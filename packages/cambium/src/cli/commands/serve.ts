import { shellWord } from "@cambium/core/text";
import type { RelayReady } from "@cambium/sync-server";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import type { DeclareOptions } from "../option-table.js";
import { relayIo } from "../relay-io.js";

export const serve: CommandDefinition<DeclareOptions, readonly string[]> = {
  about: "Run a relay until Ctrl-C. It stores and forwards encrypted data that it cannot read",
  // Printed by the command behind it, which `cambium-relay` is, too.
  examples: [],
  passesArguments: true,
  runsUntilStopped: true,
  act: async (context, args) => {
    const { runRelayCommand } = await import("@cambium/sync-server");
    const readyText = (ready: RelayReady): string => textOf(ready, context);
    const exit = await runRelayCommand(args, relayIo(context), {
      name: "cambium serve",
      part: "serve",
      readyText,
    });
    return { document: undefined, text: "", exit };
  },
};

function textOf(ready: RelayReady, { style }: Context): string {
  const { url, urlForDevices = url, tokenFile, adminToken, metricsUrl } = ready;
  const { colors } = style;
  const token = tokenFile === undefined ? "<admin token>" : `"$(cat ${shellWord(tokenFile)})"`;
  return [
    `${colors.green("●")} The relay listens on ${colors.bold(url)}. Ctrl-C stops it.`,
    ...(metricsUrl === undefined ? [] : [`Its metrics are at ${metricsUrl}`]),
    ...(tokenFile === undefined ? [] : ["", `Its admin token is in ${colors.bold(tokenFile)}`]),
    ...(adminToken === undefined ? [] : ["", `Its admin token is ${adminToken}`]),
    "",
    "In another terminal:",
    `  ${colors.dim("$")} cambium init team --relay ${urlForDevices} --token ${token}`,
    "Or link a space that is there already:",
    `  ${colors.dim("$")} cambium link ${urlForDevices} --token ${token}`,
  ].join("\n");
}
