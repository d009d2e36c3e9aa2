import type { PruneResult } from "@cambium/client";
import { omitUndefined, oneLine } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { agentOption, spaceOption } from "../options.js";

const options = (command: OptionTable) =>
  agentOption(spaceOption(command), "the owner")
    .option("--preview", "show what would go (the default)")
    .option("--run", "prune it, on every device")
    .option("--reason <text>", "why, for the audit log");

export const retention: CommandDefinition<typeof options> = {
  about:
    "Show which texts of old versions the settings do not keep, and how much room they take. With --run, prune them on every device. Of such a version its summary, source, tags, hash, time and author stay. The daemon does the same every week, or as the setting retention.run says",
  examples: ["cambium retention", "cambium retention --run", "cambium retention --preview --json"],
  options,
  act: async (context, _args, { preview = false, run = false, reason }) =>
    await context.withSpace(async ({ agent }) => {
      const result = await agent.prune(omitUndefined({ preview: preview || !run, reason }));
      return await context.answer(result, () => pruneText(result));
    }),
};

function pruneText({ status, counts, bytes, waitingFor }: PruneResult): string {
  const names = waitingFor.map(({ name }) => oneLine(name)).join(", ");
  const waits =
    waitingFor.length === 0
      ? []
      : [`Nothing goes that these devices may build upon, which have not said what they have: ${names}`];
  if (status === "off")
    return "The settings keep everything. To change that: `cambium settings --preset year`";
  if (status === "nothing") return ["Nothing is to be pruned.", ...waits].join("\n");
  const texts = countOf(counts.versions, "text", "texts");
  const amount = `${texts} of ${countOf(counts.memories, "memory", "memories")}, ${sizeText(bytes)}`;
  if (status === "pruned") return [`Pruned ${amount}.`, ...waits].join("\n");
  return [`Would prune ${amount}.`, ...waits, "To do it: `cambium retention --run`"].join("\n");
}

const countOf = (count: number, one: string, several: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : several}`;

const sizeText = (bytes: number): string =>
  bytes < 100_000 ? `${bytes} bytes` : `${(bytes / 1_000_000).toFixed(1)} MB`;
