/**
 * How strong memories are, and which have faded, for people.
 *
 * @module
 */

import type { MemoryStrength } from "@cambium/client";
import type { DecayProposal } from "@cambium/core";
import { oneLine, shortIds } from "@cambium/core/text";
import type { Style } from "./style.js";
import { type Column, table } from "./table.js";
import { fit, indent } from "./terminal-text.js";
import { relativeTime } from "./time.js";

export interface FadedMemory extends DecayProposal {
  readonly content: string;
}

/** Who wants to see more asks for `--json`. */
const FADED_SHOWN = 50;
const DEFAULT_COLUMNS = 100;

/** @returns such as `0.56, recalled 3 times, last 2 days ago` */
export function retentionText({ strength, uses, lastUsedAt }: MemoryStrength, { nowMs }: Style): string {
  const times = uses === 0 ? "never recalled" : `recalled ${uses === 1 ? "once" : `${uses} times`}`;
  const last = lastUsedAt === undefined ? "" : `, last ${relativeTime(lastUsedAt, nowMs)}`;
  return `${strength.toFixed(2)}, ${times}${last}`;
}

export function retentionTable(memories: readonly MemoryStrength[], style: Style): string {
  const { colors, nowMs } = style;
  const short = shortIds(memories.map(({ id }) => id));
  const columns: readonly Column<MemoryStrength>[] = [
    { title: "id", text: ({ id }) => short(id), paint: colors.yellow },
    { title: "strength", text: ({ strength }) => strength.toFixed(2), align: "right" },
    { title: "uses", text: ({ uses }) => String(uses), align: "right" },
    {
      title: "last used",
      text: ({ lastUsedAt }) => (lastUsedAt === undefined ? "never" : relativeTime(lastUsedAt, nowMs)),
      paint: colors.dim,
    },
  ];
  return table(memories, columns, style);
}

/** The weakest first, each with the reason why. */
export function fadedText(memories: readonly FadedMemory[], style: Style): string {
  const { colors, columns = DEFAULT_COLUMNS } = style;
  const short = shortIds(memories.map(({ id }) => id));
  const shown = memories.slice(0, FADED_SHOWN).map(({ id, content, why }) => {
    const start = short(id);
    const room = Math.max(20, columns - start.length - 2);
    return [
      `${colors.yellow(start)}  ${fit(oneLine(content), room)}`,
      indent(colors.dim(oneLine(why)), 2, undefined),
    ].join("\n");
  });
  const rest = memories.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more; --json lists them`] : [])].join("\n");
}
