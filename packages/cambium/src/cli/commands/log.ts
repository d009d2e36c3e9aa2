import { omitUndefined } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import { limitOption, type ReadOptions, readOptions } from "../options.js";
import { type PeriodOptions, periodOptions, readPeriodOptions } from "../period-options.js";
import { logText } from "../render/log.js";
import { logEventsText } from "../render/log-events.js";

interface Options extends ReadOptions, PeriodOptions {
  readonly limit?: number;
  readonly cursor?: string;
  readonly long?: true;
}

export const log: CommandDefinition<Options> = {
  about: "Show the changes of a branch as a graph, newest first: what each was about, when and by whom",
  examples: [
    "cambium log",
    "cambium log --branch work-persona --limit 20",
    'cambium log --since "2 weeks ago"',
  ],
  options: (command) =>
    periodOptions(readOptions(command), "changes")
      .option("--long", "also the ids, the date and the reason")
      .addOption(limitOption("maximum number"))
      .option("--cursor <cursor>", "continue where the previous page ended"),
  act: async (context, _args, { at, limit, cursor, long, ...times }) =>
    await context.withSpace(async ({ space }) => {
      const period = await readPeriodOptions(times, context);
      const [since, until] = [isoOf(period.since), isoOf(period.until)];
      const page = await space.log({
        branch: context.branch,
        at,
        ...omitUndefined({ since, until, limit, cursor }),
      });
      return await context.answer({ ...page, ...period.document }, async () => {
        if (page.changes.length === 0 && period.lines.length > 0)
          return [...period.lines, "No changes then."].join("\n");
        if (page.changes.length === 0) return 'No changes. Begin with `cambium remember "…"`.';
        const branches = await space.branches.list({ deleted: true });
        const branchNameById = new Map<string, string>(branches.map(({ id, name }) => [id, name]));
        const more = page.cursor !== undefined;
        const view = { changes: page.changes, branchNameById, more, branch: context.branch, long };
        const shown = logText(view, context.style);
        const besides = logEventsText(page.events ?? [], context.style);
        const graph = [...period.lines, shown, ...(besides === "" ? [] : ["", besides])].join("\n");
        return more ? `${graph}\nMore: add --cursor ${page.cursor}` : graph;
      });
    }),
};

const isoOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();
