/**
 * Checkpoints for people.
 *
 * @module
 */
import type { Checkpoint } from "@cambium/client";
import { oneLine } from "@cambium/core/text";
import { authorName } from "./author.js";
import type { Style } from "./style.js";
import { type Column, table } from "./table.js";
import { relativeTime } from "./time.js";

export function checkpointTable(checkpoints: readonly Checkpoint[], style: Style): string {
  const { colors, nowMs } = style;
  const isOneBranch = new Set(checkpoints.map(({ branch }) => branch)).size < 2;
  const columns: readonly Column<Checkpoint>[] = [
    {
      title: "checkpoint",
      text: ({ name }) => oneLine(name),
      paint: (text, { cause }) => (cause === "manual" ? colors.green(text) : text),
    },
    { title: "made", text: ({ at }) => relativeTime(at, nowMs), paint: colors.dim },
    { title: "branch", text: ({ branch }) => (isOneBranch && branch === "main" ? "" : oneLine(branch)) },
    { title: "area", text: ({ scope }) => (scope === "full" ? "" : oneLine(scope.area)) },
    {
      title: "by",
      text: ({ by, cause }) => (cause === "manual" ? authorName(by) : "itself"),
      paint: colors.cyan,
    },
    { title: "about", text: aboutText, flexible: true },
  ];
  const notices = checkpoints.flatMap(({ name, notice }) =>
    notice === undefined ? [] : [`${colors.yellow("!")} ${oneLine(name)}: ${oneLine(notice)}`],
  );
  return [table(checkpoints, columns, style), ...notices].join("\n");
}

function aboutText({ description, reason, isHere }: Checkpoint): string {
  const phrases = [description, reason].filter((text) => text !== undefined).map(oneLine);
  return [...(isHere ? [] : ["(has not arrived yet: cambium sync)"]), ...phrases].join(" · ");
}
