/**
 * A line of text with parts of it standing out, broken to fit.
 *
 * @module
 */

import { printable } from "@cambium/core/text";
import type { Style } from "./style.js";
import { lineRanges } from "./terminal-text.js";

type Range = readonly [start: number, end: number];

/**
 * Breaks first and paints afterwards, so that a colour never runs on into the margin of the next line.
 *
 * @param ranges - what stands out, as [start, end) in UTF-16 units; in order, apart from each other
 */
export function highlightedLines(
  text: string,
  ranges: readonly Range[],
  spaces: number,
  { colors, columns }: Style,
): readonly string[] {
  // Each unit becomes one unit, so that the ranges still hold.
  const plain = printable(text.replace(/\s/gu, " "));
  const room = columns === undefined ? undefined : Math.max(20, columns - spaces);
  const margin = " ".repeat(spaces);
  return lineRanges(plain, room).map((line) => margin + painted(plain, line, ranges, colors.bold));
}

function painted(
  text: string,
  [start, end]: Range,
  ranges: readonly Range[],
  paint: (text: string) => string,
): string {
  let line = "";
  let at = start;
  for (const [from, to] of ranges) {
    const [first, last] = [Math.max(from, at), Math.min(to, end)];
    if (first >= last) continue;
    line += text.slice(at, first) + paint(text.slice(first, last));
    at = last;
  }
  return line + text.slice(at, end);
}
