import type { RollbackOptions, RollbackScope } from "@cambium/client";
import { omitUndefined } from "@cambium/core/text";
import { NOT_FOUND_EXIT } from "../answer.js";
import { isConfirmed } from "../ask.js";
import type { CommandDefinition } from "../command.js";
import { labelOptions, labelsOf } from "../filter-options.js";
import type { OptionsOf, OptionTable } from "../option-table.js";
import { collect, writeOptions } from "../options.js";
import { periodOptions, readPeriodOptions } from "../period-options.js";
import { nothingText, rollbackPreview, rollbackText } from "../render/rollback.js";

const options = (command: OptionTable) =>
  periodOptions(labelOptions(writeOptions(command)), "what was written")
    .option("--id <id>", "only this memory; may be repeated", collect)
    .option("--query <words>", "only memories that speak of this")
    .option("--by <agent>", "only what this agent wrote")
    .option("--on-branch <name>", "try it on a new branch of this name")
    .option("--preview", "show what would happen; write nothing");

type Options = OptionsOf<typeof options>;

export const rollback: CommandDefinition<typeof options, [ref?: string]> = {
  about:
    "Return to an earlier state, whole or in part, with a new change. Shows what it would do and asks first. Without a state, revert what --by wrote, or what was written --since and --until. `cambium undo` reverts a rollback",
  examples: [
    "cambium rollback yesterday --preview",
    "cambium rollback 2026-08-01 --category preference",
    "cambium rollback checkpoint:before-cleanup --yes",
    "cambium rollback checkpoint:last --preview",
    "cambium rollback --by cursor --since 2026-08-04 --until 2026-08-04",
    "cambium rollback --query Falcon --since 2026-01-01 --preview",
    "cambium rollback 2026-08-01 --on-branch try",
  ],
  options,
  act: async (context, [to], { onBranch, preview: isPreview = false, yes = false, reason, ...rest }) => {
    const period = await readPeriodOptions(rest, context);
    const only = { ...scopeOf(rest), ...omitUndefined({ since: period.since, until: period.until }) };
    const wanted: RollbackOptions = { ...omitUndefined({ to, onBranch, reason }), only };
    const preview = await context.withSpace(({ agent }) =>
      agent.rollback({ ...wanted, branch: context.branch, preview: true }),
    );
    const isNothing = Object.values(preview.counts).every((count) => count === 0);
    if (isPreview || isNothing) {
      return await context.answer(
        { ...preview, ...period.document },
        () =>
          [
            ...period.lines,
            isNothing
              ? nothingText(preview)
              : `${rollbackPreview(preview, context.style)}\n\nNothing was written.`,
          ].join("\n"),
        // Whoever is named has written nothing.
        preview.advice === undefined ? 0 : NOT_FOUND_EXIT,
      );
    }
    const hint = "Look at it with --preview, then add --yes.";
    const shown = [...period.lines, rollbackPreview(preview, context.style)].join("\n");
    // On a branch of its own it takes nothing from anybody.
    if (!yes && onBranch === undefined && !(await isConfirmed(shown, "Go back?", context.io, hint))) {
      return await context.answer(preview, () => "Nothing was written.");
    }
    context.agree();
    const expect = preview.from.heads;
    return await context.withSpace(async ({ agent }) => {
      const result = await agent.rollback({
        ...wanted,
        branch: context.branch,
        expect,
        signal: context.io.signal,
      });
      return await context.answer({ ...result, ...period.document }, () =>
        rollbackText(result, context.style),
      );
    });
  },
};

const scopeOf = ({ id: ids, query, by: agent, ...labels }: Options): RollbackScope => ({
  ...labelsOf(labels),
  ...omitUndefined({ ids, query, agent }),
});
