/**
 * Requests for approval, for people.
 *
 * @module
 */
import type { ApprovalRequest, RequestDecision, RequestPreview } from "@cambium/client";
import { oneLine, shortId, callerText as textOfCaller } from "@cambium/core/text";
import { labelled } from "./field-value.js";
import type { Style } from "./style.js";
import { type Column, table } from "./table.js";
import { fullTime, relativeTime } from "./time.js";

/** The end of an id tells requests apart: its beginning is a time. */
const ID_DIGITS = 8;

export const requestName = ({ id }: Pick<ApprovalRequest, "id">): string => id.slice(-ID_DIGITS);

export function requestTable(requests: readonly ApprovalRequest[], style: Style): string {
  const { colors, nowMs } = style;
  const columns: readonly Column<ApprovalRequest>[] = [
    { title: "request", text: requestName, paint: colors.yellow },
    {
      title: "operation",
      text: ({ operation, branch = "main" }) =>
        [operation, ...(branch === "main" ? [] : [branch])].map(oneLine).join(" "),
    },
    { title: "by", text: ({ by }) => callerText(by), paint: colors.cyan },
    { title: "asked", text: ({ at }) => relativeTime(at, nowMs), paint: colors.dim },
    { title: "would touch", text: ({ preview }) => countsText(preview.counts), flexible: true },
    { title: "", text: ({ moved }) => (moved ? "has moved" : ""), paint: colors.red },
  ];
  return table(requests, columns, style);
}

export function requestText({ request, call, now, problem }: RequestPreview, style: Style): string {
  const { colors, nowMs } = style;
  const line = (label: string, text: string): string => labelled(label, text, style, 0);
  const ids = (now ?? request.preview).ids.map(shortId).join(" ");
  const touched = countsText((now ?? request.preview).counts);
  return [
    line("request", `${colors.yellow(requestName(request))} ${colors.dim(request.id)}`),
    line(
      "operation",
      `${colors.bold(oneLine(request.operation))} ${colors.dim(`(${oneLine(call.method)})`)}`,
    ),
    line("by", `${colors.cyan(callerText(request.by))}${colors.dim(`, ${fullTime(request.at, nowMs)}`)}`),
    ...(request.branch === undefined ? [] : [line("branch", colors.green(oneLine(request.branch)))]),
    ...(request.reason === undefined ? [] : [line("reason", oneLine(request.reason))]),
    ...(touched === "" ? [] : [line("touches", touched)]),
    ...(ids === "" ? [] : [line("memories", ids)]),
    line("call", colors.dim(oneLine(JSON.stringify(call.args)))),
    ...decisionLines(request, style),
    ...(problem === undefined ? [] : [line("note", colors.red(oneLine(problem)))]),
  ].join("\n");
}

export const decisionLines = ({ decision, overruled }: ApprovalRequest, style: Style): readonly string[] => [
  ...(decision === undefined ? [] : [labelled("decided", decisionText(decision, style), style, 0)]),
  ...overruled.map((other) => labelled("overruled", decisionText(other, style), style, 0)),
];

const DONE = { approve: "approved", decline: "declined", withdraw: "withdrawn" } as const;

function decisionText({ decision, by, at, reason }: RequestDecision, { colors, nowMs }: Style): string {
  const why = reason === undefined ? "" : `: ${oneLine(reason)}`;
  return `${DONE[decision]} by ${colors.cyan(callerText(by))}${colors.dim(`, ${fullTime(at, nowMs)}`)}${why}`;
}

/** Such as `laptop · claude-code (agent)`. */
export const callerText = (by: Parameters<typeof textOfCaller>[0]): string => textOfCaller(by, oneLine);

const countsText = (counts: Readonly<Record<string, number>>): string => {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.map(([what, count]) => `${count} ${oneLine(what)}`).join(", ");
};
