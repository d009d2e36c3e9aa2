import { omitUndefined } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import { limitOption, type ReadOptions, readOptions } from "../options.js";
import { logText } from "../render/log.js";

interface Options extends ReadOptions {
  readonly since?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export const log: CommandDefinition<Options> = {
  about: "Show the changes of a branch as a graph, newest first",
  examples: [
    "cambium log",
    "cambium log --branch work-persona --limit 20",
    'cambium log --since "2 weeks ago"',
  ],
  options: (command) =>
    readOptions(command)
      .option("--since <ref>", "only changes after this state")
      .addOption(limitOption("maximum number"))
      .option("--cursor <cursor>", "continue where the previous page ended"),
  act: async (context, _args, { at, since, limit, cursor }) =>
    await context.withSpace(async ({ space }) => {
      const page = await space.log({
        branch: context.branch,
        at,
        ...omitUndefined({ since, limit, cursor }),
      });
      return await context.answer(page, async () => {
        if (page.changes.length === 0) return 'No changes. Begin with `cambium remember "…"`.';
        const branches = await space.branches.list({ deleted: true });
        const branchNameById = new Map<string, string>(branches.map(({ id, name }) => [id, name]));
        const more = page.cursor !== undefined;
        const graph = logText({ changes: page.changes, branchNameById, more }, context.style);
        return more ? `${graph}\nMore: add --cursor ${page.cursor}` : graph;
      });
    }),
};
