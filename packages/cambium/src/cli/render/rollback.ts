/**
 * What a rollback did, or would do, for people.
 *
 * @module
 */
import type { RollbackResult } from "@cambium/client";
import {
  changesInWords,
  counted,
  oneLine,
  shellWord,
  shortHash,
  shortId,
  textGoneLine,
} from "@cambium/core/text";
import { refText } from "../../ask/period-used.js";
import { changesText } from "./changes.js";
import type { Style } from "./style.js";
import { fit } from "./terminal-text.js";
import { DAY, fullTime } from "./time.js";

/** Of each kind of change, so many are shown; the rest is counted. */
const ROWS = 5;

/** What would be done, with the first rows of it. @param head - what it begins with, before the counts */
export function rollbackPreview(
  result: RollbackResult,
  style: Style,
  head = headOf(result, "Would go back", style),
): string {
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
    matchedText(result, style),
    [`${head}: ${changesInWords(result)}`, ...undoesText(result, style)].join("\n"),
    changesText(shown, style),
    left === 0 ? "" : style.colors.dim(`… and ${left} more`),
    linkedText(result),
    keptText(result),
  ]
    .filter((block) => block !== "")
    .join("\n\n");
}

/** First of all: nobody should take back what was only meant to be looked at. */
function matchedText({ matched = [] }: RollbackResult, { colors, columns }: Style): string {
  if (matched.length === 0) return "";
  const rows = matched.slice(0, ROWS).map(({ id, content }) => {
    const short = shortId(id);
    return `  ${colors.yellow(short)}  ${fit(oneLine(content), (columns ?? 100) - short.length - 4)}`;
  });
  const more = matched.length - rows.length;
  const count = `${matched.length} ${matched.length === 1 ? "memory speaks" : "memories speak"} of this:`;
  return [count, ...rows, ...(more > 0 ? [colors.dim(`  … and ${more} more`)] : [])].join("\n");
}

function undoesText({ undoes }: RollbackResult, { nowMs }: Style): readonly string[] {
  if (undoes === undefined) return [];
  const { changes, since } = undoes;
  const count = counted(changes, "change");
  const period = since === undefined ? "" : ` since ${sinceText(since, nowMs)}`;
  const log = changes > 1 ? " `cambium log` lists them; undos are counted, too." : "";
  return [`This will undo ${count}${period}.${log}`];
}

/** The day; of the last two days, also the time. */
const sinceText = (at: number, nowMs: number): string =>
  nowMs - at < 2 * DAY
    ? fullTime(at, nowMs)
    : new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" }).format(at);

const linkedText = ({ linked = [] }: RollbackResult): string =>
  linked
    .slice(0, ROWS)
    .map(
      ({ id, from }) =>
        `! ${shortId(id)} would be hidden, and is linked to by ${from.slice(0, ROWS).map(shortId).join(", ")}${from.length > ROWS ? " …" : ""}`,
    )
    .join("\n");

export function rollbackText(result: RollbackResult, style: Style): string {
  const { colors } = style;
  const { change, checkpoint, triedOn } = result;
  const lines = [
    `${headOf(result, "Went back", style)}: ${changesInWords(result)}`,
    keptText(result),
    change === undefined ? "" : colors.dim(`To take it back: ${undoCommand(change, triedOn)}`),
    checkpoint === undefined
      ? ""
      : colors.dim(`The state before it: ${shellWord(`checkpoint:${oneLine(checkpoint)}`)}`),
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
  result.advice !== undefined
    ? result.advice.map(oneLine).join("\n")
    : keptText(result) === ""
      ? "Nothing to take back: everything is already as it was then."
      : `Nothing to take back.\n${keptText(result)}`;

const undoCommand = (change: string, triedOn: string | undefined): string =>
  `cambium undo --change ${shortHash(change)}${triedOn === undefined ? "" : ` --branch ${oneLine(triedOn)}`}`;

function headOf({ from, to }: RollbackResult, done: string, { colors }: Style): string {
  const target = to.ref === from.ref ? "" : ` to ${colors.green(refText(to.ref))}`;
  return `${done} on ${colors.green(oneLine(from.branch))}${target}`;
}

function keptText({ kept, textsGone = [] }: RollbackResult): string {
  const more = textsGone.length - ROWS;
  return [
    ...kept
      .slice(0, ROWS)
      .map(
        ({ id, fields }) =>
          `Not taken back, as others decided it or a conflict was settled: ${fields.join(", ")} of ${shortId(id)}`,
      ),
    ...textsGone.slice(0, ROWS).map((id) => textGoneLine(shortId(id))),
    ...(more > 0 ? [`… and ${more} more of which the text is not kept`] : []),
  ].join("\n");
}
