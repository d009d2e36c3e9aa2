/**
 * What was found, for people: the best first, with the words that were looked for standing out.
 *
 * @module
 */
import type { RecalledMemory } from "../../api.js";
import { shortIds } from "./short-ids.js";
import type { Colors, Style } from "./style.js";
import { indent, oneLine } from "./terminal-text.js";
import { relativeTime } from "./time.js";

export function recalledText(
  memories: readonly RecalledMemory[],
  words: readonly string[],
  style: Style,
): string {
  const { colors, columns, nowMs } = style;
  const short = shortIds(memories.map(({ id }) => id));
  return memories
    .map((memory) => {
      const filed = [memory.category ?? "", ...memory.tags].filter((label) => label !== "");
      const head = [
        colors.yellow(short(memory.id)),
        ...(filed.length === 0 ? [] : [colors.cyan(oneLine(filed.join(" ")))]),
        colors.dim(relativeTime(memory.at, nowMs)),
        ...(memory.conflicts.length === 0 ? [] : [colors.red("! in conflict")]),
      ];
      const snippet = emphasised(oneLine(memory.snippet), words, colors);
      return `${head.join("  ")}\n${indent(snippet, 2, columns)}`;
    })
    .join("\n\n");
}

/** Marks words that begin with one of those looked for, as far as letters alone can tell. */
function emphasised(text: string, words: readonly string[], colors: Colors): string {
  const wanted = words.flatMap((word) => word.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter(Boolean);
  return text.replace(/[\p{L}\p{N}]+/gu, (word) =>
    wanted.some((start) => word.toLowerCase().startsWith(start)) ? colors.bold(word) : word,
  );
}
