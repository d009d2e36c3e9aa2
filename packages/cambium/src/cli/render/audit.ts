/**
 * The audit log for people: a line an entry.
 *
 * @module
 */
import type { AuditedEntry, AuditPage, AuditVerification } from "@cambium/client";
import { oneLine, shortHash, shortId } from "@cambium/core/text";
import { callerText } from "./requests.js";
import type { Style } from "./style.js";
import { type Column, table } from "./table.js";
import { absoluteTime } from "./time.js";

const IDS_SHOWN = 2;

export function auditText({ entries, cursor }: AuditPage, style: Style): string {
  const { colors } = style;
  const columns: readonly Column<AuditedEntry>[] = [
    { title: "entry", text: ({ seq }) => String(seq), align: "right", paint: colors.dim },
    { title: "when", text: ({ at }) => absoluteTime(at), paint: colors.dim },
    { title: "who", text: callerText, paint: colors.cyan },
    { title: "from", text: ({ trigger = "" }) => oneLine(trigger), paint: colors.dim },
    { title: "what", text: actionText },
    {
      title: "change",
      text: ({ change }) => (change === undefined ? "" : shortHash(change)),
      paint: colors.yellow,
    },
    { title: "reason", text: ({ reason = "" }) => oneLine(reason), flexible: true },
  ];
  const more = cursor === undefined ? [] : [`More: add --cursor ${cursor}`];
  return [table(entries, columns, style), ...more].join("\n");
}

function actionText({ operation, of, memories, request, recovered, details }: AuditedEntry): string {
  const ids = Array.isArray(memories) ? (memories as readonly string[]) : undefined;
  const shown = ids?.slice(0, IDS_SHOWN).map(shortId).join(" ") ?? "";
  const rest = ids !== undefined && ids.length > IDS_SHOWN ? `+${ids.length - IDS_SHOWN}` : "";
  const words = [
    ...[operation, of ?? "", typeof details?.path === "string" ? `to ${details.path}` : ""],
    ...[typeof memories === "number" ? `${memories} memories` : shown, rest],
    ...[request === undefined ? "" : `request ${request.slice(-8)}`, recovered ? "(recovered)" : ""],
  ];
  return words
    .filter((word) => word !== "")
    .map(oneLine)
    .join(" ");
}

export function verifiedText(
  { entries, anchoredTo, notes, restored }: AuditVerification,
  { colors }: Style,
): string {
  const anchored =
    anchoredTo === undefined || anchoredTo === 0
      ? ""
      : `; entries up to ${anchoredTo} agree with what was noted outside the log`;
  return [
    `${restored === true ? colors.yellow("The audit log is that of a restored home") : colors.green("The audit log is whole")}: ${entries} ${entries === 1 ? "entry" : "entries"}${anchored}.`,
    ...notes.map((note) => `  ${colors.yellow("!")} ${oneLine(note)}`),
  ].join("\n");
}
