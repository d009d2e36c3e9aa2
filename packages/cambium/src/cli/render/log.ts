/**
 * The changes of a branch for people: a graph, and beside each change what it did, who and when.
 *
 * @module
 */
import type { LoggedOperation } from "@cambium/client";
import type { LogEntry } from "@cambium/core";
import { oneLine, shortHash, shortId } from "@cambium/core/text";
import { authorName } from "./author.js";
import { drawGraph, type GraphNode } from "./graph.js";
import { newestFirst } from "./newest-first.js";
import type { Style } from "./style.js";
import { fit } from "./terminal-text.js";
import { absoluteTime, relativeTime } from "./time.js";

export interface LogView {
  readonly changes: readonly LogEntry[];
  readonly branchNameById: ReadonlyMap<string, string>;
  /** Whether older changes exist beyond these. */
  readonly more: boolean;
  /** What operations of several changes did in all. */
  readonly operations?: readonly LoggedOperation[] | undefined;
  /** The branch that is shown: only others are named. */
  readonly branch?: string | undefined;
  /** With ids, the date and the reason, on several lines. */
  readonly long?: boolean | undefined;
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

type NameOf = (id: string | undefined) => string;

export function logText(view: LogView, style: Style): string {
  const { changes, branchNameById, more } = view;
  const { colors, unicode } = style;
  const entries = newestFirst(
    grouped(changes, view.operations ?? []).map((entry) => ({ ...entry, id: entry.hash })),
  );
  const nameOf: NameOf = (id) =>
    id === undefined ? "another branch" : oneLine(branchNameById.get(id) ?? id.slice(0, 8));
  const nodes = entries.map(
    (entry): GraphNode => ({
      id: entry.hash,
      parents: entry.parents,
      glyph: glyphOf(entry.type, style),
      lines: view.long ? longLines(entry, nameOf, style) : [shortLine(entry, nameOf, view, style)],
    }),
  );
  return drawGraph(nodes, { unicode, more, paint: colors.dim });
}

/** Hash, when, who, and what it was about. */
function shortLine(entry: Shown, nameOf: NameOf, { branch = "main" }: LogView, style: Style): string {
  const { colors, columns, nowMs } = style;
  const on = nameOf(entry.branch);
  const [hash, when, who] = [shortHash(entry.hash), relativeTime(entry.at, nowMs), authorName(entry.by)];
  const where = on === branch ? "" : ` on ${on}`;
  const left = (columns ?? 120) - [hash, when, who, where].join("  ").length - GRAPH_COLUMNS;
  const what = fit(actionText(entry, nameOf), Math.max(left, LEAST_COLUMNS));
  return `${colors.yellow(hash)} ${colors.dim(when)} ${colors.cyan(who)}${colors.green(where)}  ${what}`;
}

/** Room for a few lanes of the graph. */
const GRAPH_COLUMNS = 6;
const LEAST_COLUMNS = 24;

function longLines(entry: Shown, nameOf: NameOf, style: Style): readonly string[] {
  const { colors, nowMs } = style;
  const when = `${absoluteTime(entry.at)}, ${relativeTime(entry.at, nowMs)}`;
  const notes = [entry.reason, entry.text].filter((text) => text !== undefined);
  return [
    `${colors.yellow(shortHash(entry.hash))} ${describeChange(entry, nameOf, style)}`,
    `${colors.green(nameOf(entry.branch))} ${colors.cyan(authorName(entry.by))} ${colors.dim(when)}`,
    ...notes.map((text) => colors.dim(oneLine(text))),
  ];
}

/** @returns such as `revised: 50,000 → 60,000 · The budget is 60,000 euro` */
function actionText(entry: Shown, nameOf: NameOf): string {
  const count = countOf(entry);
  const plural = count === 1 ? "" : `${count} memories`;
  const text = entry.text === undefined ? "" : oneLine(entry.text);
  if (entry.type === "merge") {
    const part = entry.partial ? `${count === 1 ? "1 memory" : plural} of ` : "";
    return isArchive(entry) ? FROM_ARCHIVE : `merged ${part}${nameOf(entry.from)}`;
  }
  const taken = entry.type === "undo" ? (entry.of ?? []).slice(0, IDS_SHOWN).map(shortHash).join(", ") : "";
  const done = [entry.type === "undo" ? "took back" : actionOf(entry), taken, plural, together(entry)].filter(
    (word) => word !== "",
  );
  const what = entry.what === undefined || entry.type === "undo" ? "" : `${oneLine(entry.what)} · `;
  return done.join(" ") + (text === "" ? "" : `: ${what}${text}`);
}

/** Nothing else of a branch comes to it in a merge. */
const isArchive = ({ from, branch }: Shown): boolean => from === branch;
const FROM_ARCHIVE = "took in an archive";

function actionOf({ type, operation }: Shown): string {
  return ACTION_BY_KIND[operation?.split(":")[0] ?? ""] ?? ACTION_BY_TYPE[type] ?? oneLine(type);
}

interface Shown extends LogEntry {
  /** How many changes of one operation it stands for. */
  readonly parts?: number;
}

/** The changes of one operation that follow each other, as one. */
function grouped(changes: readonly LogEntry[], operations: readonly LoggedOperation[]): readonly Shown[] {
  const wholes = new Map(operations.map((whole) => [whole.operation, whole]));
  const shown: Shown[] = [];
  for (const entry of changes) {
    const last = shown.at(-1);
    const follows = last?.parents.length === 1 && last.parents[0] === entry.hash;
    const whole = wholes.get(entry.operation ?? "");
    // Its other parts may stand on another page; a memory that several of them wrote counts once.
    const all = whole && { memories: whole.memories, parts: whole.changes };
    if (last === undefined || whole === undefined || entry.operation !== last.operation || !follows)
      shown.push({ ...entry, ...all });
    else shown[shown.length - 1] = { ...last, parents: entry.parents };
  }
  return shown;
}

const countOf = ({ memories }: LogEntry): number =>
  typeof memories === "number" ? memories : memories.length;

function describeChange(entry: Shown, nameOf: NameOf, { colors }: Style): string {
  if (entry.type === "merge")
    return isArchive(entry) ? FROM_ARCHIVE : `merged ${colors.green(nameOf(entry.from))}`;
  if (entry.type === "undo") {
    return `took back ${(entry.of ?? []).map((hash) => colors.yellow(shortHash(hash))).join(", ")}`.trimEnd();
  }
  return [`${actionOf(entry)} ${subjects(entry.memories)}`.trimEnd(), together(entry)].join(" ").trimEnd();
}

/** What an undo takes to revert all of it. */
const together = ({ operation = "", parts = 1 }: Shown): string =>
  parts > 1 ? `in ${parts} changes (${oneLine(operation)})` : "";

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
