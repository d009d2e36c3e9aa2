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

/** Of changes that are parts of an operation. */
const ACTION_BY_KIND: Readonly<Record<string, string>> = {
  decay: "let fade",
  consolidate: "consolidated",
};

const IDS_SHOWN = 3;

export function logText({ changes, branchNameById, more }: LogView, style: Style): string {
  const { colors, unicode } = style;
  const entries = newestFirst(grouped(changes).map((entry) => ({ ...entry, id: entry.hash })));
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

interface Shown extends LogEntry {
  /** How many changes of one operation it stands for. */
  readonly parts?: number;
}

/** The changes of one operation that follow each other, as one. */
function grouped(changes: readonly LogEntry[]): readonly Shown[] {
  const shown: Shown[] = [];
  for (const entry of changes) {
    const last = shown.at(-1);
    const follows = last?.parents.length === 1 && last.parents[0] === entry.hash;
    if (last === undefined || entry.operation === undefined || entry.operation !== last.operation || !follows)
      shown.push(entry);
    else
      shown[shown.length - 1] = {
        ...last,
        parents: entry.parents,
        memories: countOf(last) + countOf(entry),
        parts: (last.parts ?? 1) + 1,
      };
  }
  return shown;
}

const countOf = ({ memories }: LogEntry): number =>
  typeof memories === "number" ? memories : memories.length;

function describeChange(entry: Shown, nameOf: (id: string | undefined) => string, { colors }: Style): string {
  if (entry.type === "merge") return `merged ${colors.green(nameOf(entry.from))}`;
  if (entry.type === "undo") {
    return `took back ${(entry.of ?? []).map((hash) => colors.yellow(shortHash(hash))).join(", ")}`.trimEnd();
  }
  const { type, operation, parts = 1 } = entry;
  const action = ACTION_BY_KIND[operation?.split(":")[0] ?? ""] ?? ACTION_BY_TYPE[type] ?? oneLine(type);
  const together = parts > 1 ? ` in ${parts} changes (${oneLine(operation ?? "")})` : "";
  return `${action} ${subjects(entry.memories)}`.trimEnd() + together;
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
