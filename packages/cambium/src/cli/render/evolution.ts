/**
 * How an understanding changed, for people: a story with a date, an action and a reason for each step.
 *
 * @module
 */
import type { Evolution, EvolutionStep } from "@cambium/client";
import { oneLine, printable, type ShortId, shortHash, shortIds } from "@cambium/core/text";
import { byAndWhen } from "./author.js";
import { labelled } from "./field-value.js";
import type { Style } from "./style.js";
import { indent } from "./terminal-text.js";

const QUOTE_LENGTH = 60;

export function evolutionText({ branch, memories, steps, more = 0 }: Evolution, style: Style): string {
  if (steps.length === 0) return "Nothing that was ever known here speaks of it, or nothing in that time.";
  const { colors } = style;
  const short = shortIds(memories.map(({ id }) => id));
  const outcome = steps.map((step) => stepText(step, short, style));
  const now = memories.map(({ id, content, deleted, supersededBy }) => {
    const standing = deleted
      ? "forgotten"
      : supersededBy.length > 0
        ? `superseded by ${supersededBy.map(short).join(", ")}`
        : "";
    const text = oneLine(content);
    const quote = text.length > QUOTE_LENGTH ? `${text.slice(0, QUOTE_LENGTH - 1)}…` : text;
    return `  ${colors.yellow(short(id))} ${quote}${standing === "" ? "" : colors.red(`  ${standing}`)}`;
  });
  const left = more === 0 ? [] : [colors.dim(`${more} more memories speak of it: add --limit.`)];
  return [...outcome, [colors.bold(`Now, on ${oneLine(branch)}:`), ...now, ...left].join("\n")].join("\n\n");
}

function stepText(step: EvolutionStep, short: ShortId, style: Style): string {
  const { colors, columns } = style;
  const { memory, record, version, text, reason, summaryBy } = step;
  const name = `${colors.yellow(short(memory))} ${colors.dim(`v${version} ${shortHash(record)}`)}`;
  const by = summaryBy === "rules" ? "" : colors.dim(`  (told by ${oneLine(summaryBy)})`);
  return [
    `${byAndWhen(step.by, step.at, style)}  ${name}`,
    indent(printable(text), 2, columns) + by,
    ...(reason === undefined ? [] : [labelled("because", printable(reason), style)]),
  ].join("\n");
}
