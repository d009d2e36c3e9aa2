import { omitUndefined } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { positiveInteger, spaceOption } from "../options.js";
import { auditText, verifiedText } from "../render/audit.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  spaceOption(command)
    .option("--agent <name>", "only what this agent did")
    .option("--operation <name>", "only this, such as remember, approve or refuse")
    .option("--since <date>", "only from then on")
    .option("--until <date>", "only until then")
    .option("--memory <id>", "only what touched this memory")
    .option("--limit <n>", "at most this many (default: 100)", positiveInteger)
    .option("--cursor <cursor>", "continue where the previous page ended")
    .option("--verify", "check the log; exits with 6 when it is damaged")
    .option("--export <file>", "write all of it to a new file, as JSON lines");

export const audit: CommandDefinition<typeof options> = {
  about:
    "Show the log of what was done on this device, newest first. With --verify, check that it was not altered or cut off",
  examples: [
    "cambium audit",
    "cambium audit --agent cursor --since yesterday",
    "cambium audit --operation refuse",
    "cambium audit --verify",
    "cambium audit --export audit.jsonl",
  ],
  options,
  act: async (context, _args, { verify, export: path, ...filter }) => {
    if (verify && path !== undefined) throw new UsageError("Give --verify or --export, not both.");
    return await context.withSpace(async ({ agent: { audit: log } }) => {
      if (verify) {
        const verified = await log.verify();
        return await context.answer(verified, () => verifiedText(verified, context.style));
      }
      if (path !== undefined) {
        const exported = await log.export(path);
        return await context.answer(
          { ...exported, path },
          () => `Wrote ${exported.entries} entries to ${path}`,
        );
      }
      const { agent, operation, since, until, memory, limit, cursor } = filter;
      const page = await log.list(omitUndefined({ agent, operation, since, until, memory, limit, cursor }));
      return await context.answer(page, () =>
        page.entries.length === 0 ? "Nothing in the log matches." : auditText(page, context.style),
      );
    });
  },
};
