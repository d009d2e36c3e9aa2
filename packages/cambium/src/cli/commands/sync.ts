import type { SpaceStatus, SyncStatus } from "@cambium/client";
import { InvalidArgumentError } from "commander";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import type { OptionTable } from "../option-table.js";
import { spaceOption } from "../options.js";
import { syncedErasureLines } from "../render/erasure.js";
import { inSyncText, waitForSync } from "../sync-wait.js";

const DEFAULT_TIMEOUT_SECONDS = 30;

const options = (command: OptionTable) =>
  spaceOption(command).option(
    "--timeout <seconds>",
    "stop after this time",
    seconds,
    DEFAULT_TIMEOUT_SECONDS,
  );

export const sync: CommandDefinition<typeof options> = {
  about: "Send and fetch all changes. Returns when the relay has confirmed all of them",
  examples: ["cambium sync", "cambium sync --timeout 120"],
  options,
  act: async (context, _args, { timeout }) =>
    await context.withSpace(async ({ space }) => {
      const before = await space.sync.status();
      const after =
        before.relay.url === null ? before : await waitForSync(space, context, { seconds: timeout });
      return await context.answer(after, async () =>
        [
          syncText(after, await space.status(), context),
          ...syncedErasureLines(await space.erasures(), context.style),
        ].join("\n"),
      );
    }),
};

function syncText({ relay }: SyncStatus, status: SpaceStatus, { style }: Context): string {
  if (relay.url !== null) return inSyncText(relay, status, style);
  return "This space has no relay: it is on this device only. To give it one: cambium link <url of the relay> --token <admin token of the relay>";
}

function seconds(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 86_400)) throw new InvalidArgumentError("Give a number of seconds above 0.");
  return number;
}
