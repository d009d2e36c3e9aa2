/**
 * The reply to a write: one line, and what is in conflict. Apart from the larger views, so that a write does
 * not wait for what it will not show.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import { shortId } from "@cambium/core/text";
import type { Style } from "./style.js";

/** @param pastTense - past tense, such as `Remembered` */
export function writtenReply(pastTense: string, memory: Memory, style: Style): string {
  const id = style.colors.yellow(shortId(memory.id));
  const version = memory.version > 1 ? style.colors.dim(` version ${memory.version}`) : "";
  return [`${pastTense} ${id}${version}`, ...openConflictsNote(memory, style)].join("\n");
}

/** Nothing when all is decided. */
export function openConflictsNote({ id, conflicts }: Memory, style: Style): readonly string[] {
  if (conflicts.length === 0) return [];
  const fields = conflicts.map(({ field }) => field).join(", ");
  return [
    `${style.colors.red("!")} In conflict: ${fields}. Two sides decided differently; both are kept.`,
    `  Look with \`cambium show ${shortId(id)}\`, decide with \`cambium resolve\`.`,
  ];
}
