import type { SettingsChange } from "@cambium/client";
import { omitUndefined } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { agentOption, spaceOption } from "../options.js";
import { changedLines, letsGoLines, settingsText } from "../render/settings.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  agentOption(spaceOption(command), "the owner")
    .option("--preset <name>", "replace the rules of retention: keep-everything, year or lean")
    .option("--category <label>", "with a change: for the memories of this category alone")
    .option("--area <label>", "with a change: for the memories of this area alone")
    .option("--reason <text>", "why, for the audit log");

interface Scope {
  readonly category?: string | undefined;
  readonly area?: string | undefined;
}

export const settings: CommandDefinition<typeof options, [words: readonly string[]]> = {
  about:
    "Show the settings of the space: how long old texts stay, and how many checkpoints and branches. `set <key> <value>` changes one on every device, and `unset <key>` gives it its default again",
  examples: [
    "cambium settings",
    "cambium settings --preset lean",
    "cambium settings --preset keep-everything --category health",
    "cambium settings set retention.days 90",
    "cambium settings set retention.contents all --category health",
    "cambium settings unset retention.days",
  ],
  options,
  act: async (context, [words = []], { preset, category, area, reason }) => {
    const scope = scopeOf({ category, area });
    const change = changeOf(words, scope);
    const isChange = change !== undefined || preset !== undefined;
    if (!isChange && scope !== "")
      throw new UsageError(
        "`--category` and `--area` say for which memories a setting is changed, and nothing is changed here.",
        "Leave them out: `cambium settings` shows those of each category and area, too.",
      );
    const rules = preset === undefined ? undefined : preset + scope;
    return await context.withSpace(async ({ space, agent }) => {
      const before = isChange ? await space.settings() : undefined;
      const shown = isChange
        ? await agent.changeSettings(omitUndefined({ ...change, preset: rules, reason }))
        : await space.settings();
      const keys = [...Object.keys(change?.set ?? {}), ...(change?.unset ?? [])];
      const isRule = preset !== undefined || keys.some((key) => key.startsWith("retention."));
      return await context.answer(shown, () =>
        [
          settingsText(shown, context.style),
          ...(before === undefined ? [] : changedLines(before, shown, change, context.style)),
          ...(isRule ? letsGoLines(shown, scope === "" ? preset : undefined) : []),
        ].join("\n"),
      );
    });
  },
};

/** @returns undefined when there are no words */
function changeOf(words: readonly string[], scope: string): SettingsChange | undefined {
  const [verb, name = "", value, ...more] = words;
  if (verb === undefined) return undefined;
  const key = name + scope;
  if (verb === "set" && value !== undefined) return { set: { [key]: [value, ...more].join(" ") } };
  if (verb === "unset" && name !== "" && value === undefined) return { unset: [key] };
  throw new UsageError(
    "This is not a change of the settings.",
    "Use `cambium settings set <key> <value>`, or `cambium settings unset <key>`.",
  );
}

/** As it stands behind the name of a setting or a preset. */
function scopeOf({ category, area }: Scope): string {
  if (category !== undefined && area !== undefined)
    throw new UsageError("A setting is for one category or for one area.");
  if (category !== undefined) return `@category:${category}`;
  return area === undefined ? "" : `@area:${area}`;
}
