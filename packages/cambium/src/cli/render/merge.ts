/**
 * What a merge did, would do, or waits for, for people.
 *
 * @module
 */
import type { MergeResult } from "@cambium/client";
import { changesInWords, oneLine, shortHash, shortIds } from "@cambium/core/text";
import { changesText, conflictsText } from "./changes.js";
import type { Style } from "./style.js";
import { absoluteTime } from "./time.js";

export interface MergeContext {
  /** Only some memories were asked for. */
  readonly isPart?: boolean;
  /** What reads as neither side had it. */
  readonly combined?: readonly string[];
}

export function mergeText(
  result: MergeResult,
  style: Style,
  { isPart = false, combined = [] }: MergeContext = {},
): string {
  const { colors } = style;
  const from = colors.green(oneLine(result.from.branch));
  const into = colors.green(oneLine(result.to.branch));
  const names = `${from} into ${into}`;
  const undone = undoneText(result);
  switch (result.status) {
    case "up-to-date":
      return [
        isPart
          ? `Nothing to merge: nothing on ${from} that ${into} lacks matches what was asked for.`
          : `Nothing to merge: ${into} has everything of ${from}.`,
        ...undone,
      ].join("\n");
    case "merged":
      return [
        `Merged ${names}: ${mergedWords(result)}`,
        ...combined,
        ...(result.change === undefined
          ? []
          : [colors.dim(`To take it back: cambium undo --change ${shortHash(result.change)}`)]),
      ].join("\n");
    case "preview":
      return blocks(`Would merge ${names}: ${changesInWords(result)}`, undone, changesText(result, style), [
        ...combined,
        ...(combined.length > 0 ? [""] : []),
        ...(result.conflicts.length > 0
          ? howToDecide(result)
          : ["Nothing was written. Leave out --preview to merge."]),
      ]);
    case "conflict":
      return blocks(
        `Cannot merge ${from} (source) into ${into} (target) yet: ${changesInWords(result)}`,
        undone,
        conflictsText(result, style),
        howToDecide(result),
      );
  }
}

const blocks = (head: string, undone: readonly string[], body: string, end: readonly string[]): string =>
  [[head, ...undone].join("\n"), body, end.join("\n")].filter((block) => block !== "").join("\n\n");

function undoneText({ undone = [] }: MergeResult): readonly string[] {
  return undone.map(
    ({ mergedAt, undoneAt }) =>
      `Merged on ${absoluteTime(mergedAt)}, taken back on ${absoluteTime(undoneAt)}: say --again yes to bring all of it back, --again no for only what is new.`,
  );
}

function howToDecide({ conflicts }: MergeResult): readonly string[] {
  const [first] = conflicts;
  const field = first?.fields[0]?.field;
  const one =
    first === undefined || field === undefined
      ? []
      : [`  --resolve ${shortIds(conflicts.map(({ id }) => id))(first.id)}.${field}=source`];
  return [
    "Nothing was written. Decide with --strategy source, target, newest or both, or one by one:",
    ...one,
    "A value of your own: --resolve <id>.<field>=value:…",
  ];
}

/** A merge that changes nothing has decided all the same. */
function mergedWords(result: MergeResult): string {
  const { created, changed, deleted, conflicts } = result;
  const isNothing = [created, changed, deleted, conflicts].every(({ length }) => length === 0);
  return isNothing
    ? `${oneLine(result.to.branch)} keeps what it says, nothing changes`
    : changesInWords(result);
}
