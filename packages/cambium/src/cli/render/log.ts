/**
 * The changes of a branch for people: a graph, and beside each change what it did, who and when.
 *
 * @module
 */
import type { LogEntry } from "@cambium/core";
import { oneLine, shortHash, shortId } from "@cambium/core/text";
import { authorName } from "./author.js";
import { drawGraph, type GraphNode } from "./graph.js";
import { newestFirst } from "./newest-first.js";
import type { Style } from "./style.js";
import { absoluteTime, relativeTime } from "./time.js";

export interface LogView {
  readonly changes: readonly LogEntry[];
  readonly branchNameById: ReadonlyMap<string, string>;
  /** Whether older changes exist beyond these. */
  readonly more: boolean;
}

const ACTION_BY_TYPE: Readonly<Record<string, string>> = {
  remember: "remembered",
  revise: "revised",
  forget: "forgot",
  restore: "restored",
  combine: "combined",
  split: "split",
  resolve: "resolved",
  rollback: "rolled back",
  import: "imported",
};

const IDS_SHOWN = 3;

export function logText({ changes, branchNameById, more }: LogView, style: Style): string {
  const { colors, unicode } = style;
  const entries = newestFirst(changes.map((entry) => ({ ...entry, id: entry.hash })));
  const nameOf = (id: string | undefined): string =>
    id === undefined ? "another branch" : oneLine(branchNameById.get(id) ?? id.slice(0, 8));
  const nodes = entries.map((entry): GraphNode => {
    const when = `${absoluteTime(entry.at)}, ${relativeTime(entry.at, style.nowMs)}`;
    const reason = entry.reason === undefined ? [] : [colors.dim(oneLine(entry.reason))];
    return {
      id: entry.hash,
      parents: entry.parents,
      glyph: glyphOf(entry.type, style),
      lines: [
        `${colors.yellow(shortHash(entry.hash))} ${describeChange(entry, nameOf, style)}`,
        `${colors.green(nameOf(entry.branch))} ${colors.cyan(authorName(entry.by))} ${colors.dim(when)}`,
        ...reason,
      ],
    };
  });
  return drawGraph(nodes, { unicode, more, paint: colors.dim });
}

function describeChange(
  entry: LogEntry,
  nameOf: (id: string | undefined) => string,
  { colors }: Style,
): string {
  if (entry.type === "merge") return `merged ${colors.green(nameOf(entry.from))}`;
  if (entry.type === "undo") {
    return `took back ${(entry.of ?? []).map((hash) => colors.yellow(shortHash(hash))).join(", ")}`.trimEnd();
  }
  return `${ACTION_BY_TYPE[entry.type] ?? oneLine(entry.type)} ${subjects(entry.memories)}`.trimEnd();
}

function subjects(memories: LogEntry["memories"]): string {
  if (typeof memories === "number") return `${memories} memories`;
  const shown = memories.slice(0, IDS_SHOWN).map(shortId);
  const rest = memories.length - shown.length;
  return shown.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function glyphOf(type: string, { colors, unicode }: Style): string {
  if (type === "merge") return colors.green(unicode ? "◆" : "M");
  if (type === "undo") return colors.red(unicode ? "↶" : "U");
  if (type === "forget") return colors.red(unicode ? "×" : "x");
  return unicode ? "○" : "*";
}
