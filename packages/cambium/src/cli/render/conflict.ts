/**
 * Conflicts for people: what all sides started from, what each made of it, who and when, and the command
 * that decides.
 *
 * @module
 */
import type { Memory, MemoryId } from "@cambium/core";
import { oneLine, type ShortId, shortHash } from "@cambium/core/text";
import { authorName } from "./author.js";
import { changeText, fieldText, labelled } from "./field-value.js";
import type { Style } from "./style.js";
import { fit } from "./terminal-text.js";
import { relativeTime } from "./time.js";

export type Conflict = Memory["conflicts"][number];
export type ConflictValue = Conflict["values"][number];

/** What to call each side where it is not its number: `source` and `target` of a merge, as `--resolve` takes them. */
export type NameSide = (value: ConflictValue, conflict: Conflict) => string | undefined;

type Side = "source" | "target";

/** In a merge, the target's side is the one it shows before the merge. */
export const sidesOfMerge =
  (before: Memory | undefined) =>
  (value: ConflictValue, { field }: Conflict): Side | undefined => {
    if (before === undefined) return undefined;
    return sameValue(before[field], value.value) ? "target" : "source";
  };

export function conflictText(conflict: Conflict, style: Style, nameSide?: NameSide): string {
  const { field, base, values } = conflict;
  const { colors } = style;
  const sides = values.map((value, index) => nameSide?.(value, conflict) ?? String(index + 1));
  const width = Math.max(...sides.map((side) => side.length));
  const line = (label: string, text: string): string => labelled(label.padEnd(width), text, style, 4);
  const baseText = fieldText(field, base);
  const lines = [
    `  ${colors.red("!")} ${colors.bold(field)} was decided differently`,
    line("base", baseText === "" ? colors.dim("nothing in common") : baseText),
  ];
  for (const [index, value] of values.entries()) {
    const shown =
      baseText === "" ? fieldText(field, value.value) : changeText(field, base, value.value, colors);
    const who = `${authorName(value.by)}, ${relativeTime(value.at, style.nowMs)}`;
    lines.push(
      line(sides[index] ?? "", shown === "" ? colors.dim("no value") : shown),
      line("", `${colors.yellow(shortHash(value.record))} ${colors.dim(who)}`),
    );
  }
  return lines.join("\n");
}

export interface MemoryInConflict {
  readonly id: MemoryId;
  readonly branch?: string | undefined;
  readonly fields: readonly Conflict[];
  readonly memory: Pick<Memory, "content">;
}

/** Its title, every field in conflict, and the commands that decide it. */
export const conflictsOfMemory = (found: MemoryInConflict, short: ShortId, style: Style): string =>
  [
    conflictTitle(found, short, style),
    ...found.fields.map((conflict) => conflictText(conflict, style)),
    resolveHint(short(found.id), found.fields, style),
  ].join("\n");

export function conflictTitle(
  { id, branch, memory }: MemoryInConflict,
  short: ShortId,
  style: Style,
): string {
  const { colors, columns } = style;
  const where = branch === undefined ? "" : ` ${colors.green(oneLine(branch))}`;
  return `${colors.yellow(short(id))}${where} ${fit(oneLine(memory.content), (columns ?? 100) - TITLE_COLUMNS)}`;
}

/** Of its id and its branch. */
const TITLE_COLUMNS = 40;

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
