/**
 * A memory that several versions make together: none of them holds what is shown.
 *
 * @module
 */
import type { MergeResult } from "@cambium/client";
import type { Memory, Version } from "@cambium/core";
import { STATE_FIELDS, type StateField } from "@cambium/core/state-fields";
import { oneLine, printable, shortHash, shortIds } from "@cambium/core/text";
import { fieldText, labelled } from "./field-value.js";
import type { Style } from "./style.js";
import { indent } from "./terminal-text.js";

/** The last versions of each side, where there is more than one side. */
export function combinedOf<One extends Pick<Version, "record" | "parents">>(
  versions: readonly One[],
): readonly One[] {
  const followed = new Set(versions.flatMap(({ parents }) => parents));
  const last = versions.filter(({ record }) => !followed.has(record));
  return last.length > 1 ? last : [];
}

/** Such as `combines bb1b1dccd0 and ffbc3e7149, field by field`. */
export const combinesText = (versions: readonly Pick<Version, "record">[]): string =>
  `combines ${versions.map(({ record }) => shortHash(record)).join(" and ")}, field by field`;

/** What is shown, where it is of none of the versions that it combines. */
export function shownNowText(memory: Memory, last: readonly Version[], style: Style): string {
  const { colors } = style;
  const own = STATE_FIELDS.filter((field) => !last.some((one) => isSame(field, memory, one)));
  return [
    `${colors.bold("now")} ${combinesText(last)}`,
    ...(own.length === 0 ? [`  ${colors.dim("each value is of one of them")}`] : []),
    ...own.map((field) => labelled(field, printable(fieldText(field, memory[field])), style)),
  ].join("\n");
}

const isSame = (field: StateField, one: Version | Memory, other: Version | Memory): boolean =>
  fieldText(field, one[field]) === fieldText(field, other[field]);

/** So many are shown in full after a merge. */
const MOST_SHOWN = 10;

/** A memory that a merge brought, and the same as the source had it. */
export interface MergedMemory {
  readonly after: Memory;
  readonly source: Memory;
}

/** Those that a merge changed on a target that had changed them too. */
export const changedByMerge = ({ changed }: MergeResult): MergeResult["changed"] =>
  changed.filter(({ after, before }) => after.versions > before.versions).slice(0, MOST_SHOWN);

/** The texts that are neither the source's nor the target's: nobody has read them yet. */
export function neitherSideText(
  merged: readonly MergedMemory[],
  { changed }: MergeResult,
  style: Style,
): readonly string[] {
  const before = new Map(changed.map((change) => [change.id, change.before]));
  const short = shortIds(merged.map(({ after }) => after.id));
  const lines = merged.flatMap(({ after, source }) => {
    const target = before.get(after.id);
    const own = STATE_FIELDS.filter(
      (field) => !isSame(field, after, source) && target !== undefined && !isSame(field, after, target),
    );
    if (own.length === 0) return [];
    return [
      `${style.colors.yellow(short(after.id))} ${style.colors.dim(own.includes("content") ? "" : oneLine(after.content))}`.trimEnd(),
      ...own.map((field) =>
        field === "content"
          ? indent(printable(after.content), 2, style.columns)
          : labelled(field, fieldText(field, after[field]), style),
      ),
    ];
  });
  return lines.length === 0 ? [] : ["Combined from both sides, so that it reads as neither:", ...lines];
}
