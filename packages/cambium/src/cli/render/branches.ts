/**
 * Branches for people.
 *
 * @module
 */
import type { BranchInfo } from "@cambium/client";
import { oneLine } from "@cambium/core/text";
import { authorName } from "./author.js";
import type { Style } from "./style.js";
import { type Column, table } from "./table.js";
import { relativeTime } from "./time.js";

/** @param current - the branch that verbs act on by default */
export function branchTable(branches: readonly BranchInfo[], current: string, style: Style): string {
  const { colors, nowMs } = style;
  const columns: readonly Column<BranchInfo>[] = [
    { title: "", text: ({ name }) => (name === current ? "*" : ""), paint: colors.green },
    {
      title: "branch",
      text: ({ name }) => oneLine(name),
      paint: (text, { name }) => (name === current ? colors.green(text) : text),
    },
    { title: "memories", text: ({ memories }) => String(memories ?? "?"), align: "right" },
    { title: "from", text: ({ parent }) => oneLine(parent ?? "") },
    {
      title: "ahead",
      text: ({ parent, ahead }) => (parent === undefined ? "" : String(ahead ?? "?")),
      align: "right",
    },
    {
      title: "behind",
      text: ({ parent, behind }) => (parent === undefined ? "" : String(behind ?? "?")),
      align: "right",
    },
    { title: "last change", text: (branch) => lastText(branch, nowMs), paint: colors.dim },
    { title: "state", text: stateText, paint: colors.dim },
  ];
  const notices = branches.flatMap(({ notice }) =>
    notice === undefined ? [] : [`${colors.yellow("!")} ${oneLine(notice)}`],
  );
  const legend = branches.length > 1 ? LEGEND.map((line) => colors.dim(line)) : [];
  return [table(branches, columns, style), ...legend, ...notices].join("\n");
}

const LEGEND = [
  "* is the branch that is used without --branch. ahead: changes that only the branch has.",
  "behind: changes that only its parent has.",
  "A merge of some memories leaves a branch ahead: the rest can be merged later.",
];

/** @returns such as `3 minutes ago, laptop · cursor` */
function lastText({ last }: BranchInfo, nowMs: number): string {
  if (last === undefined) return "";
  const { at, by, device } = last;
  return `${relativeTime(at, nowMs)}, ${authorName(device === undefined ? by : { ...by, device })}`;
}

function stateText({ status, isHere, madeBy }: BranchInfo): string {
  const where = madeBy === undefined ? "not here yet" : `not here yet, made on ${oneLine(madeBy)}`;
  return [status === "open" ? "" : status, isHere === false ? where : ""]
    .filter((part) => part !== "")
    .join(", ");
}
