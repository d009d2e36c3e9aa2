import { oneLine, shortIds } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import { type ReadOptions, readOptions } from "../options.js";
import { conflictText, resolveHint } from "../render/conflict.js";
import { fit } from "../render/terminal-text.js";

export const conflicts: CommandDefinition<ReadOptions> = {
  about: "Show fields that two sides set differently: the base, every value, who and when",
  examples: ["cambium conflicts", "cambium conflicts --branch work-persona --json"],
  options: readOptions,
  act: async (context, _args, { at }) =>
    await context.withSpace(async ({ space }) => {
      const found = await space.conflicts({ branch: context.branch, at });
      return await context.answer({ conflicts: found }, () => {
        if (found.length === 0) return "There are no open conflicts.";
        const { style } = context;
        const { colors, columns } = style;
        const short = shortIds(found.map(({ id }) => id));
        return found
          .map(({ id, branch, fields, memory }) =>
            [
              `${colors.yellow(short(id))} ${colors.green(oneLine(branch))} ${fit(oneLine(memory.content), (columns ?? 100) - 40)}`,
              ...fields.map((conflict) => conflictText(conflict, style)),
              resolveHint(short(id), fields, style),
            ].join("\n"),
          )
          .join("\n\n");
      });
    }),
};
