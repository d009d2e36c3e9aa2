/**
 * Conflicts for people: what all sides started from, what each made of it, who and when, and the command
 * that decides.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import { shortHash } from "@cambium/core/text";
import { authorName } from "./author.js";
import { changeText, fieldText, labelled } from "./field-value.js";
import type { Style } from "./style.js";
import { relativeTime } from "./time.js";

export type Conflict = Memory["conflicts"][number];
type ConflictValue = Conflict["values"][number];

/** What to call each side where it is not its number: `source` and `target` of a merge, as `--resolve` takes them. */
export type NameSide = (value: ConflictValue, conflict: Conflict) => string | undefined;

/** In a merge, the target's side is the one it shows before the merge. */
export const sidesOfMerge =
  (before: Memory | undefined): NameSide =>
  (value, { field }) => {
    if (before === undefined) return undefined;
    return sameValue(before[field], value.value) ? "target" : "source";
  };

export function conflictText(conflict: Conflict, style: Style, nameSide?: NameSide): string {
  const { field, base, values } = conflict;
  const { colors } = style;
  const lines = [`  ${colors.red("!")} ${colors.bold(field)} was decided differently`];
  const baseText = fieldText(field, base);
  lines.push(labelled("base", baseText === "" ? colors.dim("nothing in common") : baseText, style, 4));
  for (const [index, value] of values.entries()) {
    const side = nameSide?.(value, conflict) ?? String(index + 1);
    const shown =
      baseText === "" ? fieldText(field, value.value) : changeText(field, base, value.value, colors);
    const who = `${authorName(value.by)}, ${relativeTime(value.at, style.nowMs)}`;
    lines.push(
      labelled(side, shown === "" ? colors.dim("no value") : shown, style, 4),
      labelled("", `${colors.yellow(shortHash(value.record))} ${colors.dim(who)}`, style, 4),
    );
  }
  return lines.join("\n");
}

/** The commands that settle the conflicts of one memory, ready to be copied: one for each value. */
export function resolveHint(id: string, conflicts: readonly Conflict[], style: Style): string {
  return conflicts
    .flatMap(({ field, values }) =>
      values.flatMap(({ record }, index) => {
        const discards = values
          .filter((other) => other.record !== record)
          .map((other) => shortHash(other.record));
        const options = [`--keep ${shortHash(record)}`, ...discards.map((hash) => `--discard ${hash}`)];
        return [
          `  To keep ${index + 1}:`,
          `    ${style.colors.dim("$")} cambium resolve ${id} --field ${field} ${options.join(" ")}`,
        ];
      }),
    )
    .join("\n");
}

function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
