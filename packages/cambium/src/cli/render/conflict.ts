/**
 * Conflicts for people: what all sides started from, what each made of it, who and when, and the command
 * that decides.
 *
 * @module
 */
import type { Memory, ReplicaId } from "@cambium/core";
import { shortHash } from "@cambium/core/text";
import { authorName } from "./author.js";
import { changeText, fieldText, labelled } from "./field-value.js";
import type { Style } from "./style.js";
import { relativeTime } from "./time.js";

export type Conflict = Memory["conflicts"][number];
type ConflictValue = Conflict["values"][number];

/** What to call each side, such as `ours` and `theirs`. */
export type NameSide = (value: ConflictValue, conflict: Conflict) => string | undefined;

/** `ours` is what this device wrote, when that tells the sides apart. */
export const sidesOfReplica =
  (replica: ReplicaId): NameSide =>
  (value, { values }) => {
    const own = values.filter(({ by }) => by.replica === replica);
    if (own.length !== 1) return undefined;
    return value === own[0] ? "ours" : "theirs";
  };

/** In a merge, the target's side is the one it shows before the merge. */
export const sidesOfMerge =
  (before: Memory | undefined): NameSide =>
  (value, { field }) => {
    if (before === undefined) return undefined;
    return sameValue(before[field], value.value) ? "target" : "source";
  };

export function conflictText(conflict: Conflict, style: Style, nameSide: NameSide): string {
  const { field, base, values } = conflict;
  const { colors } = style;
  const lines = [`  ${colors.red("!")} ${colors.bold(field)} was decided differently`];
  const baseText = fieldText(field, base);
  lines.push(labelled("base", baseText === "" ? colors.dim("nothing in common") : baseText, style, 4));
  for (const [index, value] of values.entries()) {
    const side = nameSide(value, conflict) ?? `side ${index + 1}`;
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

/** The commands that settle the conflicts of one memory, ready to be copied: keeping what is shown. */
export function resolveHint(id: string, conflicts: readonly Conflict[], style: Style): string {
  const commands = conflicts.flatMap(({ field, values: [kept, ...others] }) => {
    if (kept === undefined) return [];
    const discards = others.map(({ record }) => ` --discard ${shortHash(record)}`).join("");
    return [`cambium resolve ${id} --field ${field} --keep ${shortHash(kept.record)}${discards}`];
  });
  return commands.map((command) => `    ${style.colors.dim("$")} ${command}`).join("\n");
}

function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
