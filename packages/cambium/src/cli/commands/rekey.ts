import type { Agent, Progress, RekeyResult, Space } from "@cambium/client";
import { isCambiumError } from "@cambium/core";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { CountLine } from "../count-line.js";
import { unlessStopped } from "../failure.js";
import type { OptionTable } from "../option-table.js";
import { agentOption, spaceOption } from "../options.js";
import { rekeyText } from "../render/rekey.js";
import { waitForSync } from "../sync-wait.js";

const options = (command: OptionTable) =>
  agentOption(spaceOption(command), "the owner").option(
    "--status",
    "only show how much is still under earlier keys; write nothing",
  );

export const rekey: CommandDefinition<typeof options> = {
  about:
    "Seal what was written before the last removal of a device anew, under the present key, and have the old bytes destroyed here and at the relay. Others may write meanwhile. Cut short, it goes on where it was",
  examples: ["cambium rekey --status", "cambium rekey"],
  options,
  act: async (context, _args, { status = false }) =>
    await context.withSpace(async ({ space, agent }) => {
      const result = status ? await agent.rekey({ preview: true }) : await rekeyed(space, agent, context);
      return await context.answer(result, () => rekeyText(result));
    }),
};

/** How long a relay may stay silent. */
const SECONDS = 60;

/** The old bytes may go once the relay has the new ones: so it is done, synced, ended, and synced again. */
async function rekeyed(space: Space, agent: Agent, context: Context): Promise<RekeyResult> {
  const { io } = context;
  using counts = new CountLine(io);
  const once = async () =>
    await unlessStopped(
      agent.rekey({
        signal: io.signal,
        onProgress: ({ done, total }: Progress): void => counts.show(done, total, "packs"),
      }),
      io,
      () => STOPPED,
    );
  const first = await once();
  if (first.relay === "none" || first.status === "one-key") return first;
  if (!(await isSynced(space, context))) return first;
  const second = first.status === "waiting" ? await once() : first;
  if (second.status === "nothing" && second.relay !== "pending") return second;
  await isSynced(space, context);
  const { relay } = await agent.rekey({ preview: true });
  return { ...second, resealed: Math.max(first.resealed, second.resealed), relay };
}

const STOPPED = { lines: ["Stopped. Nothing is lost: `cambium rekey` goes on from here."] };

/** A relay that is away is no failure: what is done stays done. */
async function isSynced(space: Space, context: Context): Promise<boolean> {
  try {
    await waitForSync(space, context, { seconds: SECONDS, isRenewed: true });
    return true;
  } catch (error) {
    if (isCambiumError(error, "RELAY_UNREACHABLE") || isCambiumError(error, "TIMED_OUT")) return false;
    throw error;
  }
}
