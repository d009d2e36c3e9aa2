import type { CommandDefinition } from "../command.js";
import type { DeclareOptions } from "../option-table.js";
import { relayIo } from "../relay-io.js";

export const relay: CommandDefinition<DeclareOptions, readonly string[]> = {
  about: "Administer a relay: its spaces, tokens, backups and settings",
  examples: [],
  passesArguments: true,
  runsUntilStopped: true,
  act: async (context, args) => {
    const { runRelayCommand } = await import("@cambium/sync-server");
    const exit = await runRelayCommand(args, relayIo(context), { name: "cambium relay", part: "administer" });
    return { document: undefined, text: "", exit };
  },
};
