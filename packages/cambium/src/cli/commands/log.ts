import { omitUndefined } from "@cambium/core/text";
import { InvalidArgumentError } from "commander";
import { exitOfNone } from "../answer.js";
import type { CommandDefinition } from "../command.js";
import { choiceOf, choiceOptions } from "../filter-options.js";
import type { OptionTable } from "../option-table.js";
import { collect, positiveInteger } from "../options.js";
import { periodOptions, readPeriodOptions } from "../period-options.js";
import { logText } from "../render/log.js";
import { logEventsText } from "../render/log-events.js";
import { adviceLines } from "../render/recalled.js";

const options = (command: OptionTable) =>
  periodOptions(choiceOptions(command, "did"), "changes")
    .option("--type <type>", "only this: remember, merge, undo, checkpoint …; may be repeated", types)
    .option("--long", "also ids, dates and reasons")
    .option("--limit <n>", "at most this many (default: 100)", positiveInteger)
    .option("--cursor <cursor>", "continue where the previous page ended");

export const log: CommandDefinition<typeof options> = {
  about: "Show the changes of a branch as a graph, newest first: what each was about, when and by whom",
  examples: [
    "cambium log",
    "cambium log --branch work-persona --limit 20",
    'cambium log --since "2 weeks ago" --by claude-code',
    "cambium log --tag release --type revise --type forget",
  ],
  options,
  act: async (context, _args, { at, limit, cursor, long, type, ...rest }) =>
    await context.withSpace(async ({ space }) => {
      const period = await readPeriodOptions(rest, context);
      const choice = { ...choiceOf(rest), ...omitUndefined({ type }) };
      const isChosen = Object.keys(choice).length > 0;
      const [since, until] = [isoOf(period.since), isoOf(period.until)];
      const page = await space.log({
        branch: context.branch,
        at,
        ...choice,
        ...omitUndefined({ since, until, limit, cursor }),
      });
      const text = async (): Promise<string> => {
        const besides = logEventsText(page.events ?? [], context.style);
        if (page.changes.length === 0 && besides === "" && !isChosen && period.lines.length === 0)
          return 'No changes. Begin with `cambium remember "…"`.';
        if (page.changes.length === 0)
          return [
            ...period.lines,
            besides || (isChosen ? "No such changes." : "No changes then."),
            ...adviceLines(page.advice, context.style),
          ].join("\n");
        const branches = await space.branches.list({ deleted: true });
        const branchNameById = new Map<string, string>(branches.map(({ id, name }) => [id, name]));
        const more = page.cursor !== undefined;
        // Of some changes there is no graph: what they were made on may not be among them.
        const changes = isChosen ? page.changes.map((entry) => ({ ...entry, parents: [] })) : page.changes;
        const { operations } = page;
        const view = { changes, operations, branchNameById, more, branch: context.branch, long };
        const shown = logText(view, context.style);
        const graph = [...period.lines, shown, ...(besides === "" ? [] : ["", besides])].join("\n");
        const whole = [graph, ...adviceLines(page.advice, context.style)].join("\n");
        return page.cursor === undefined
          ? whole
          : `${whole}\nOlder changes:\n  ${context.style.colors.dim("$")} ${context.commandWith("--cursor", page.cursor)}`;
      };
      const found = [...page.changes, ...(page.events ?? [])];
      const exit = exitOfNone(found, rest.by, page.advice);
      return await context.answer({ ...page, ...period.document }, text, exit);
    }),
};

const TYPES: readonly string[] = [
  ...["remember", "revise", "forget", "restore", "combine", "split", "resolve", "merge", "undo", "rollback"],
  ...[
    "import",
    "checkpoint",
    "branch",
    "rename-branch",
    "delete-branch",
    "restore-branch",
    "delete-checkpoint",
  ],
  ...["reinforce", "verify", "settings", "retention", "failed"],
];

function types(value: string, earlier?: readonly string[]): readonly string[] {
  if (!TYPES.includes(value)) throw new InvalidArgumentError(`Give one of: ${TYPES.join(", ")}.`);
  return collect(value, earlier);
}

const isoOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();
