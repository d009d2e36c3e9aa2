/**
 * What a rollback did, or would do, for people.
 *
 * @module
 */
import type { RollbackResult } from "@cambium/client";
import { oneLine, shortHash, shortId } from "@cambium/core/text";
import { changesSummary, changesText } from "./changes.js";
import type { Style } from "./style.js";

/** Of each kind of change, so many are shown; the rest is counted. */
const ROWS = 5;

/** What would be done, with the first rows of it. */
export function rollbackPreview(result: RollbackResult, style: Style): string {
  const { created, changed, broughtBack, deleted, conflicts } = result;
  const shown = {
    created: created.slice(0, ROWS),
    changed: changed.slice(0, ROWS),
    broughtBack: broughtBack.slice(0, ROWS),
    deleted: deleted.slice(0, ROWS),
    conflicts: conflicts.slice(0, ROWS),
  };
  const left = [created, changed, broughtBack, deleted].reduce(
    (sum, group) => sum + Math.max(0, group.length - ROWS),
    0,
  );
  return [
    `${headOf(result, "Would go back", style)}: ${changesSummary(result)}`,
    changesText(shown, style),
    left === 0 ? "" : style.colors.dim(`… and ${left} more`),
    keptText(result),
  ]
    .filter((block) => block !== "")
    .join("\n\n");
}

export function rollbackText(result: RollbackResult, style: Style): string {
  const { colors } = style;
  const { change, checkpoint, triedOn } = result;
  const lines = [
    `${headOf(result, "Went back", style)}: ${changesSummary(result)}`,
    keptText(result),
    change === undefined ? "" : colors.dim(`To take it back: ${undoCommand(change, triedOn)}`),
    checkpoint === undefined ? "" : colors.dim(`The state before it: checkpoint ${oneLine(checkpoint)}`),
    triedOn === undefined
      ? ""
      : colors.dim(
          `Look at it with --branch ${oneLine(triedOn)}; keep it with: cambium merge ${oneLine(triedOn)} --strategy source`,
        ),
  ];
  return lines.filter((line) => line !== "").join("\n");
}

/** What stays although it was asked for is no reason to say that all is as it was. */
export const nothingText = (result: RollbackResult): string =>
  result.kept.length === 0
    ? "Nothing to go back on: everything asked for is as it was."
    : `Nothing to go back on.\n${keptText(result)}`;

const undoCommand = (change: string, triedOn: string | undefined): string =>
  `cambium undo --change ${shortHash(change)}${triedOn === undefined ? "" : ` --branch ${oneLine(triedOn)}`}`;

function headOf({ from, to }: RollbackResult, done: string, { colors }: Style): string {
  const target = to.ref === from.ref ? "" : ` to ${colors.green(oneLine(to.ref))}`;
  return `${done} on ${colors.green(oneLine(from.branch))}${target}`;
}

const keptText = ({ kept }: RollbackResult): string =>
  kept
    .slice(0, ROWS)
    .map(
      ({ id, fields }) =>
        `Not taken back, as others decided it or a conflict was settled: ${fields.join(", ")} of ${shortId(id)}`,
    )
    .join("\n");
