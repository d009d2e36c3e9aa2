/**
 * A plan as a terminal shows it.
 *
 * @module
 */
import type { LogEntry, Memory } from "@cambium/core";
import { changesInWords, oneLine, printable, shortHash, shortIds } from "@cambium/core/text";
import type { Plan, Shown } from "../../ask/plans/plan.js";
import type { Context } from "../context.js";
import { changesText } from "../render/changes.js";
import { changeText } from "../render/field-value.js";
import { mergeText } from "../render/merge.js";
import { rollbackPreview } from "../render/rollback.js";
import type { Style } from "../render/style.js";
import { indent } from "../render/terminal-text.js";
import { relativeTime } from "../render/time.js";

export function planText({ would, note, shown }: Plan, { style }: Context): string {
  const text = shown === undefined ? `${would}.` : shownText(would, shown, style);
  return note === undefined ? text : `${text}\n${note}`;
}

function shownText(would: string, shown: Shown, style: Style): string {
  switch (shown.kind) {
    case "text":
      return `${would}:\n${indent(printable(shown.content), 2, style.columns)}`;
    case "revision": {
      const change = changeText("content", shown.before, shown.after, style.colors);
      return `${would}:\n${indent(change, 2, style.columns)}`;
    }
    case "memories":
      return `${would}:\n${numbered(shown.memories, style)}`;
    case "changes":
      return `${would}:\n${shown.changes.map((change) => changeLine(change, style)).join("\n")}`;
    case "rollback":
      return rollbackPreview(shown.preview, style, would);
    case "merge": {
      const { preview } = shown;
      if (preview.conflicts.length > 0 || (preview.undone ?? []).length > 0)
        return mergeText({ ...preview, status: "conflict" }, style);
      return `${would}: ${changesInWords(preview)}\n\n${changesText(preview, style)}`;
    }
  }
}

/** Of those found, so many are shown. */
const SHOWN = 20;

/** One line each, with the number to choose it by. */
function numbered(memories: readonly Memory[], style: Style): string {
  const short = shortIds(memories.map(({ id }) => id));
  const lines = memories.slice(0, SHOWN).map(({ id, content, at }, index) => {
    const when = style.colors.dim(relativeTime(at, style.nowMs));
    return `  ${index + 1}  ${style.colors.yellow(short(id))}  ${cut(content, 100)}  ${when}`;
  });
  const more = memories.length - SHOWN;
  return [...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].join("\n");
}

function changeLine({ hash, type, memories, text, at }: LogEntry, style: Style): string {
  const count = typeof memories === "number" ? memories : memories.length;
  const more = count > 1 ? [`${count - 1} more`] : [];
  const quotes = [...(text === undefined ? [] : [cut(text, 60)]), ...more].join("; ");
  const when = style.colors.dim(relativeTime(at, style.nowMs));
  return `  ${style.colors.yellow(shortHash(hash))}  ${type}  ${quotes}  ${when}`;
}

function cut(content: string, most: number): string {
  const text = oneLine(content);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
