/**
 * Requests for approval, for people.
 *
 * @module
 */
import type { ApprovalRequest, RequestDecision, RequestPreview } from "@cambium/client";
import { oneLine, shortIds, callerText as textOfCaller } from "@cambium/core/text";
import { labelled } from "./field-value.js";
import type { Style } from "./style.js";
import { type Column, table } from "./table.js";
import { fullTime, relativeTime } from "./time.js";

/** The end of an id tells requests apart: its beginning is a time. */
const ID_DIGITS = 8;
/** As `cambium erasures` shows them. */
const ERASURE_DIGITS = 12;

export const requestName = ({ id }: Pick<ApprovalRequest, "id">): string => id.slice(-ID_DIGITS);

/** What a memory says that a request is about; empty where that is not here. */
export interface MemoryWords {
  readonly id: string;
  readonly text: string;
}

interface ShownRequest {
  readonly request: ApprovalRequest;
  readonly words: readonly MemoryWords[];
}

export function requestTable(shown: readonly ShownRequest[], style: Style): string {
  const { colors, nowMs } = style;
  const isAllOpen = shown.every(({ request }) => request.state === "open");
  const columns: readonly Column<ShownRequest>[] = [
    { title: "request", text: ({ request }) => requestName(request), paint: colors.yellow },
    {
      title: "operation",
      text: ({ request: { operation, branch = "main" } }) =>
        [operation, ...(branch === "main" ? [] : [branch])].map(oneLine).join(" "),
    },
    { title: "by", text: ({ request }) => callerText(request.by), paint: colors.cyan },
    { title: "asked", text: ({ request }) => relativeTime(request.at, nowMs), paint: colors.dim },
    ...(isAllOpen ? [] : [{ title: "state", text: stateText } satisfies Column<ShownRequest>]),
    { title: "would touch", text: touchedText, flexible: true },
    { title: "", text: ({ request }) => (request.moved ? "has moved" : ""), paint: colors.red },
  ];
  return table(shown, columns, style);
}

function stateText({ request: { state, decision, erasure } }: ShownRequest): string {
  if (decision !== undefined) return `${DONE[decision.decision]} by ${callerText(decision.by)}`;
  return erasure === undefined ? oneLine(state) : `${oneLine(state)} by ${eraserText(erasure)}`;
}

type ClosingErasure = NonNullable<ApprovalRequest["erasure"]>;

/** Such as `laptop · cursor (0123456789ab)`: `cambium erasures` names it so. */
const eraserText = ({ id, by: { device, agent } }: ClosingErasure): string =>
  `${[device, ...(agent === undefined ? [] : [agent])].map(oneLine).join(" · ")} (${id.slice(0, ERASURE_DIGITS)})`;

function touchedText({ request, words: [first] }: ShownRequest): string {
  const counts = countsText(request.preview.counts);
  const more = request.preview.ids.length > 1 ? " …" : "";
  return first === undefined || first.text === "" ? counts : `${counts}: ${oneLine(first.text)}${more}`;
}

export function requestText(
  { request, call, now, problem }: RequestPreview,
  words: readonly MemoryWords[],
  style: Style,
): string {
  const { colors, nowMs } = style;
  const line = (label: string, text: string): string => labelled(label, text, style, 0);
  const { ids } = now ?? request.preview;
  const short = shortIds(ids);
  const texts = words.map(({ id, text }) => `${colors.yellow(short(id))} ${oneLine(text)}`);
  const left = ids.length - texts.length;
  const touched = countsText((now ?? request.preview).counts);
  return [
    line("request", `${colors.yellow(requestName(request))} ${colors.dim(request.id)}`),
    line(
      "operation",
      `${colors.bold(oneLine(request.operation))}${request.operation === call.method ? "" : colors.dim(` (${oneLine(call.method)})`)}`,
    ),
    line("by", `${colors.cyan(callerText(request.by))}${colors.dim(`, ${fullTime(request.at, nowMs)}`)}`),
    ...(request.branch === undefined ? [] : [line("branch", colors.green(oneLine(request.branch)))]),
    ...(request.reason === undefined ? [] : [line("reason", oneLine(request.reason))]),
    ...(touched === "" ? [] : [line("touches", touched)]),
    ...texts.map((text, index) => line(index === 0 ? "memories" : "", text)),
    ...(left > 0 && texts.length > 0 ? [line("", `and ${left} more`)] : []),
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
  const named = (what: string, count: number): string =>
    count === 1 && what === "memories" ? "memory" : oneLine(what);
  return parts.map(([what, count]) => `${count} ${named(what, count)}`).join(", ");
};
