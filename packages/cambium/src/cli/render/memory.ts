/**
 * Memories for people: one in full, many in a table.
 *
 * @module
 */

import type { MemoryStrength } from "@cambium/client";
import type { Memory, Source, Version } from "@cambium/core";
import { MEMORY_NOTES, NOTE_NAMES, WRITABLE_FIELDS } from "@cambium/core/state-fields";
import {
  contentWithTitle,
  oneLine,
  printable,
  shortHash,
  shortId,
  shortIds,
  shownContent,
  sourceInShort,
} from "@cambium/core/text";
import { byAndWhen } from "./author.js";
import { combinesText } from "./combined.js";
import { conflictText, resolveHint } from "./conflict.js";
import { fieldText, labelled } from "./field-value.js";
import { retentionText } from "./retention.js";
import type { Style } from "./style.js";
import { type Column, table } from "./table.js";
import { fit, indent } from "./terminal-text.js";
import { relativeTime } from "./time.js";

/** The memory itself needs the room. */
const SOURCE_COLUMNS = 32;

/** What stands beside content in the full view, in this order. */
const SHOWN_FIELDS = WRITABLE_FIELDS.filter((field) => field !== "content");

export interface MemoryContext {
  /** The versions that it combines; none where it is one of them. */
  readonly combines?: readonly Pick<Version, "record">[];
  readonly strength?: MemoryStrength | undefined;
}

export function memoryInFull(
  memory: Memory,
  { strength, combines = [] }: MemoryContext,
  style: Style,
): string {
  const { colors, columns } = style;
  const facts = SHOWN_FIELDS.map((field) => [field, fieldText(field, memory[field])] as const);
  const version = versionText(memory);
  const recordText = combines.length > 0 ? combinesText(combines) : `record ${shortHash(memory.record)}`;
  const lines = [
    colors.yellow(memory.id) + (memory.deleted ? colors.red("  forgotten") : ""),
    "",
    indent(printable(shownContent(memory)), 2, columns),
    "",
    ...facts.filter(([, text]) => text !== "").map(([field, text]) => labelled(field, text, style)),
    ...notes(memory).map(([label, text]) => labelled(label, printable(text), style)),
    labelled("version", `${version} ${colors.dim(recordText)}`, style),
    labelled(memory.type, byAndWhen(memory.by, memory.at, style), style),
    ...(strength === undefined ? [] : [labelled("strength", retentionText(strength, style), style)]),
  ];
  if (memory.incomplete !== undefined) lines.push("", incompleteNote(memory.incomplete.length, style));
  for (const conflict of memory.conflicts) {
    lines.push("", conflictText(conflict, style));
  }
  if (memory.conflicts.length > 0) {
    lines.push("", resolveHint(shortId(memory.id), memory.conflicts, style));
  }
  return lines.join("\n");
}

function notes(memory: Memory): readonly (readonly [string, string])[] {
  return NOTE_NAMES.map(
    (name) => [MEMORY_NOTES[name].label, noteText(memory[name], memory.id)] as const,
  ).filter(([, text]) => text !== "");
}

function noteText(note: Memory[(typeof NOTE_NAMES)[number]], id: string): string {
  if (note === undefined || typeof note === "string") return note ?? "";
  if (Array.isArray(note)) return note.join(", ");
  const { kind, ...where } = note as Source;
  if (kind === "version" && where.memory === id)
    return `an earlier version, record ${shortHash(String(where.record))}`;
  return [kind, ...Object.entries(where).map(([key, value]) => `${key} ${value}`)].join(", ");
}

const incompleteNote = (count: number, { colors }: Style): string =>
  `  ${colors.yellow("?")} ${count} newer ${count === 1 ? "record has" : "records have"} not arrived; run \`cambium sync\`.`;

/** One line each; marks say what needs a look. */
export function memoryTable(memories: readonly Memory[], style: Style): string {
  const short = shortIds(memories.map(({ id }) => id));
  const { colors } = style;
  const columns: readonly Column<Memory>[] = [
    { title: "id", text: ({ id }) => short(id), paint: colors.yellow },
    { title: "", text: mark, paint: colors.red },
    { title: "memory", text: (memory) => oneLine(contentWithTitle(memory)), flexible: true },
    { title: "category", text: ({ category }) => oneLine(category ?? ""), paint: colors.cyan },
    { title: "tags", text: ({ tags }) => oneLine(tags.join(" ")), paint: colors.cyan },
    { title: "source", text: shownSource, paint: colors.dim },
    { title: "changed", text: ({ at }) => relativeTime(at, style.nowMs), paint: colors.dim },
  ];
  return table(memories, columns, style);
}

/** What the marks in a table mean, for those that occur. */
export function marksNote(memories: readonly Memory[], { colors }: Style): readonly string[] {
  const marks = new Set(memories.flatMap((memory) => [...mark(memory)]));
  const meanings = [
    ["!", "in conflict: see `cambium conflicts`"],
    ["?", "not all of it has arrived: run `cambium sync`"],
    ["×", "forgotten"],
  ] as const;
  return meanings
    .filter(([sign]) => marks.has(sign))
    .map(([sign, meaning]) => `${colors.red(sign)} ${colors.dim(meaning)}`);
}

/** The number counts one after the other; side by side there may be more. */
export const versionText = ({ version, versions }: Pick<Memory, "version" | "versions">): string =>
  versions > version ? `${version} (${versions} in all, some written side by side)` : String(version);

/** Where it is told from beside others, a record's name says nothing. */
export const versionSourceText = (id: string, of: unknown): string =>
  of === id ? "an earlier version" : `a version of ${shortId(String(of))}`;

/** What a title before the text does not say already. */
const shownSource = ({ id, source }: Memory): string => {
  if (source === undefined) return "";
  if (source.kind === "version") return versionSourceText(id, source.memory);
  const text =
    source.kind === "import" && source.file !== undefined ? `file ${source.file}` : sourceInShort(source);
  return fit(oneLine(text), SOURCE_COLUMNS);
};

function mark({ conflicts, incomplete, deleted }: Memory): string {
  return [conflicts.length > 0 ? "!" : "", incomplete ? "?" : "", deleted ? "×" : ""].join("");
}
