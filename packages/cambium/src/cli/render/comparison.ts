/**
 * Two versions of a memory side by side, for people.
 *
 * @module
 */
import type { VersionComparison } from "@cambium/client";
import { oneLine, shortHash } from "@cambium/core/text";
import { byAndWhen } from "./author.js";
import { fieldChange, labelled } from "./field-value.js";
import type { Style } from "./style.js";
import { wordsText } from "./word-diff.js";

export function comparisonText(
  { from, to, fields, words, ...note }: VersionComparison,
  style: Style,
): string {
  const { colors } = style;
  const name = ({ version, record }: typeof from): string =>
    `${colors.bold(`v${version}`)} ${colors.yellow(shortHash(record))}`;
  return [
    `${name(from)} → ${name(to)} ${to.type}  ${byAndWhen(to.by, to.at, style)}`,
    ...inShort(note, style),
    ...fields.map((field) =>
      field === "content"
        ? labelled(field, wordsText(words, colors), style)
        : fieldChange(field, from[field], to[field], style),
    ),
  ].join("\n");
}

/** The sentence about a change, and whose it is when the rules did not write it. */
export function inShort(
  { summary, summaryBy }: { readonly summary: string; readonly summaryBy: string },
  style: Style,
): readonly string[] {
  const by = summaryBy === "rules" ? "" : style.colors.dim(` (by ${oneLine(summaryBy)})`);
  return [labelled("in short", oneLine(summary) + by, style)];
}
