/**
 * Memories that say the same, and what one memory of them would hold, for people.
 *
 * @module
 */
import type { ConsolidationProposal, Memory } from "@cambium/core";
import { oneLine, type ShortId, shortIds } from "@cambium/core/text";
import { labelled } from "./field-value.js";
import type { Style } from "./style.js";
import { fit } from "./terminal-text.js";
import { wordDiff } from "./word-diff.js";

export interface ConsolidationView {
  readonly proposal: ConsolidationProposal;
  /** Newest first, like the proposal's ids. */
  readonly memories: readonly Memory[];
}

const GROUPS_SHOWN = 20;
const MEMORIES_SHOWN = 5;
const DEFAULT_COLUMNS = 100;

export function consolidationsText(views: readonly ConsolidationView[], style: Style): string {
  const short = shortIds(views.flatMap(({ memories }) => memories.map(({ id }) => id)));
  const shown = views.slice(0, GROUPS_SHOWN).map((view) => groupText(view, short, style));
  const rest = views.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} groups more; --json lists them`] : [])].join("\n\n");
}

/** What would be combined is shown against the newest text, which leads. */
function groupText({ proposal, memories }: ConsolidationView, short: ShortId, style: Style): string {
  const { colors, columns = DEFAULT_COLUMNS } = style;
  const { why, needsReview, combined } = proposal;
  const [sign, paint] = needsReview ? ["?", colors.yellow] : ["=", colors.green];
  const rows = memories.slice(0, MEMORIES_SHOWN).map(({ id, content }) => {
    const start = short(id);
    return `  ${colors.yellow(start)}  ${fit(oneLine(content), Math.max(20, columns - start.length - 4))}`;
  });
  const rest = memories.length - rows.length;
  const [newest] = memories;
  const isLonger = newest !== undefined && newest.content !== combined.content;
  return [
    `${paint(sign)} ${oneLine(why)}`,
    ...rows,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...(isLonger ? [labelled("combined", wordDiff(newest.content, combined.content, colors), style)] : []),
  ].join("\n");
}
