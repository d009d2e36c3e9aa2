/**
 * The reply to a write: one line, and what is in conflict. Apart from the larger views, so that a write does
 * not wait for what it will not show.
 *
 * @module
 */
import type { SimilarMemory } from "@cambium/client";
import type { Memory } from "@cambium/core";
import { oneLine, shortId } from "@cambium/core/text";
import type { Style } from "./style.js";
import { fit } from "./terminal-text.js";

/** @param pastTense - past tense, such as `Remembered` */
export function writtenReply(pastTense: string, memory: Memory, style: Style): string {
  const id = style.colors.yellow(shortId(memory.id));
  const version = memory.version > 1 ? style.colors.dim(` version ${memory.version}`) : "";
  if (memory.unchanged === true)
    return [
      `Nothing to revise: ${id} says so already, version ${memory.version}. No version was written.`,
      ...openConflictsNote(memory, style),
    ].join("\n");
  const done = memory.proposed === true ? "Proposed" : pastTense;
  const waits = memory.proposed === true ? ". It waits for the owner's review: `cambium ui`" : "";
  const before =
    memory.erasedBefore === true
      ? [`${style.colors.yellow("!")} This text was erased for good once. It is kept again now.`]
      : [];
  const alone =
    memory.staysHere === true
      ? [
          `${style.colors.yellow("!")} This stays on this device alone: others have erased it for good, and destroy what comes to it. \`cambium erasures\` lists it.`,
        ]
      : [];
  return [`${done} ${id}${version}${waits}`, ...before, ...alone, ...openConflictsNote(memory, style)].join(
    "\n",
  );
}

/** Nothing when all is decided. */
export function openConflictsNote({ id, conflicts }: Memory, style: Style): readonly string[] {
  if (conflicts.length === 0) return [];
  const fields = conflicts.map(({ field }) => field).join(", ");
  return [
    `${style.colors.red("!")} In conflict: ${fields}. Two sides decided differently; both are kept.`,
    `  Look with \`cambium show ${shortId(id)}\`, decide with \`cambium resolve\`.`,
  ];
}

const LIKENESS = { text: "Nearly the same:", subject: "On the same subject:" } as const;

/** What stands near what was written. Nothing when nothing does. */
export function nearLines(near: readonly SimilarMemory[], { colors, columns }: Style): readonly string[] {
  const room = Math.max(MIN_TEXT, (columns ?? 100) - REST_COLUMNS);
  const lines = near.map(({ id, content, likeness }) => {
    const label = LIKENESS[likeness].padEnd(LIKENESS.subject.length);
    return `  ${colors.dim(label)} ${colors.yellow(shortId(id))} ${fit(oneLine(content), room)}`;
  });
  return lines.length === 0 ? [] : [...lines, colors.dim(`  ${NEAR_ADVICE}`)];
}

const MIN_TEXT = 20;
/** Of the label, the id and the spaces between. */
const REST_COLUMNS = 38;
const NEAR_ADVICE = "If one is out of date: cambium revise <id>, or cambium forget <id>.";
