/**
 * What differs between two states, or what a merge would do, for people.
 *
 * @module
 */
import type { ChangedMemory, Memory, MemoryConflicts } from "@cambium/core";
import {
  oneLine,
  printable,
  type ShortId,
  shortIds,
  shownContent,
  withoutConflicts,
} from "@cambium/core/text";
import { conflictText, sidesOfMerge } from "./conflict.js";
import { fieldChange } from "./field-value.js";
import type { Style } from "./style.js";
import { fit, indent } from "./terminal-text.js";

export interface Changes {
  readonly created: readonly Memory[];
  readonly changed: readonly ChangedMemory[];
  readonly deleted: readonly Memory[];
  readonly broughtBack?: readonly Memory[];
  readonly conflicts: readonly MemoryConflicts[];
}

/** @returns nothing when the states are equal */
export function changesText(all: Changes, style: Style): string {
  const changes = { ...all, changed: withoutConflicts(all) };
  const { created, changed, deleted, broughtBack = [] } = changes;
  const short = shortIdsOf(changes);
  const { colors } = style;
  const added = (memory: Memory, word: string): string =>
    [
      head("+", memory.id, word, short, style),
      indent(printable(shownContent(memory)), 2, style.columns),
    ].join("\n");
  const blocks = [
    ...created.map((memory) => added(memory, "created")),
    ...broughtBack.map((memory) => added(memory, "brought back")),
    ...changed.map((change) => changedText(change, short, style)),
    ...deleted.map((memory) => {
      const content = fit(oneLine(shownContent(memory)), (style.columns ?? 100) - 2);
      return [head("-", memory.id, "forgotten", short, style), `  ${colors.dim(content)}`].join("\n");
    }),
  ];
  return [...blocks, conflictsText(all, style)].filter((block) => block !== "").join("\n\n");
}

/** Only what is undecided, each side named by where it comes from. */
export function conflictsText(changes: Changes, style: Style): string {
  const short = shortIdsOf(changes);
  return changes.conflicts
    .map((conflict) => openConflictText(conflict, changes.changed, short, style))
    .join("\n\n");
}

const shortIdsOf = ({ created, changed, deleted, broughtBack = [], conflicts }: Changes): ShortId =>
  shortIds([...created, ...changed, ...deleted, ...broughtBack, ...conflicts].map(({ id }) => id));

function changedText({ id, before, after, fields }: ChangedMemory, short: ShortId, style: Style): string {
  const changes = fields.map((field) => fieldChange(field, before[field], after[field], style));
  return [head("~", id, "changed", short, style), ...changes].join("\n");
}

function openConflictText(
  { id, fields }: MemoryConflicts,
  changed: readonly ChangedMemory[],
  short: ShortId,
  style: Style,
): string {
  const before = changed.find((change) => change.id === id)?.before;
  const texts = fields.map((conflict) => conflictText(conflict, style, sidesOfMerge(before)));
  return [head("!", id, "in conflict", short, style), ...texts].join("\n");
}

function head(
  sign: "+" | "~" | "-" | "!",
  id: string,
  word: string,
  short: ShortId,
  { colors }: Style,
): string {
  const paint = { "+": colors.green, "~": colors.yellow, "-": colors.red, "!": colors.red }[sign];
  return `${paint(sign)} ${colors.yellow(short(id))} ${colors.dim(word)}`;
}
