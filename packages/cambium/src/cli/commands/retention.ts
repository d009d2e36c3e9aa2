import type { PruneResult } from "@cambium/client";
import { counted, omitUndefined, oneLine } from "@cambium/core/text";
import { isConfirmed } from "../ask.js";
import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { agentOption, spaceOption, yesOption } from "../options.js";

const options = (command: OptionTable) =>
  yesOption(agentOption(spaceOption(command), "the owner"))
    .option("--preview", "show what would go (the default)")
    .option("--run", "prune it, on every device, after asking")
    .option("--reason <text>", "why, for the audit log");

export const retention: CommandDefinition<typeof options> = {
  about:
    "Show which texts of old versions the settings do not keep, and how much room they take. With --run, prune them on every device, after asking; it cannot be undone. Of such a version its summary, source, tags, hash, time and author stay. The daemon does the same every week, or as the setting retention.run says",
  examples: ["cambium retention", "cambium retention --run", "cambium retention --run --yes --json"],
  options,
  act: async (context, _args, { preview = false, run = false, yes = false, reason }) => {
    const isOnlyLook = preview || !run;
    const { io } = context;
    if (!isOnlyLook && !yes) {
      const planned = await context.withSpace(({ agent }) =>
        agent.prune({ preview: true, signal: io.signal }),
      );
      const question = "Prune them? It cannot be undone.";
      const isAsked = planned.status === "preview";
      if (isAsked && !(await isConfirmed(pruneText(planned, ""), question, io, HINT)))
        return await context.answer(planned, () => "Nothing was pruned.");
      if (isAsked) context.agree();
    }
    // Also where nothing is to go: it tells the other devices what this one has.
    return await context.withSpace(async ({ agent }) => {
      const result = await agent.prune(omitUndefined({ preview: isOnlyLook, reason }));
      return await context.answer(result, () => pruneText(result, "To do it: `cambium retention --run`"));
    });
  },
};

const HINT = "Look at it with `cambium retention`, then add --yes.";

/** @param next - what to do after a preview */
function pruneText({ status, counts, bytes, differences, waitingFor }: PruneResult, next: string): string {
  const names = waitingFor.map(({ name }) => oneLine(name)).join(", ");
  const waits =
    waitingFor.length === 0
      ? []
      : [
          `Texts that another device may still need are kept. Not yet heard from: ${names}.`,
          "A device is heard from when retention runs on it, as its daemon does by itself. One that is gone: `cambium invites revoke <device>`, or wait as the setting retention.wait says.",
        ];
  if (status === "off")
    return "The settings keep everything. To change that: `cambium settings --preset year`";
  if (status === "nothing") return ["Nothing is to be pruned.", ...waits].join("\n");
  const texts = counted(counts.versions, "text");
  const amount = `${texts} of ${counted(counts.memories, "memory", "memories")}, ${sizeText(bytes)}`;
  const stays = differences.texts === 0 ? [] : [differencesText(differences)];
  if (status === "pruned") return [`Pruned ${amount}.`, ...stays, ...waits].join("\n");
  return [`Would prune ${amount}.`, ...stays, ...waits, ...(next === "" ? [] : [next])].join("\n");
}

/** Asked only of devices that keep some. */
const differencesText = ({ texts, bytes }: PruneResult["differences"]): string =>
  `${sizeText(Math.max(0, bytes))} of that stay on this device, to rebuild ${counted(texts, "text")} from later ones.`;

const sizeText = (bytes: number): string =>
  bytes < 100_000 ? `${bytes} bytes` : `${(bytes / 1_000_000).toFixed(1)} MB`;
