/**
 * What was done besides changes, for people: one line each, below the changes of the log.
 *
 * @module
 */
import type { LogEvent } from "@cambium/client";
import { oneLine, shortId } from "@cambium/core/text";
import { authorName } from "./author.js";
import type { Style } from "./style.js";
import { absoluteTime } from "./time.js";

/** More of them than changes would hide these. */
const ROWS = 20;

export function logEventsText(events: readonly LogEvent[], style: Style): string {
  if (events.length === 0) return "";
  const { colors } = style;
  const rows = events.slice(0, ROWS).map((event) => {
    const { seq, from, by, at, reason } = event;
    const where =
      from === "space" ? "" : `, in this device's audit log${seq === undefined ? "" : ` as ${seq}`}`;
    const why = reason === undefined ? "" : `: ${oneLine(reason)}`;
    return `  ${colors.dim(absoluteTime(at))}  ${actionOf(event)} ${colors.cyan(authorName(by))}${colors.dim(`${where}${why}`)}`;
  });
  const more = events.length - rows.length;
  return [
    "Besides:",
    ...rows,
    ...(more > 0 ? [colors.dim(`  … and ${more} more; --json lists them`)] : []),
  ].join("\n");
}

function actionOf({ type, name = "", of = "", code = "", memories = [] }: LogEvent): string {
  const which = oneLine(name);
  const what = typeof memories === "number" ? `${memories} memories` : memories.map(shortId).join(", ");
  switch (type) {
    case "checkpoint":
      return `checkpoint ${which}`;
    case "branch":
      return `made the branch ${which}`;
    case "rename-branch":
      return `renamed the branch ${which}`;
    case "delete-branch":
      return `deleted the branch ${which}`;
    case "delete-checkpoint":
      return "deleted a checkpoint";
    case "reinforce":
      return `reinforced ${what}`;
    case "verify":
      return "verified what is stored";
    case "failed":
      return `${oneLine(of)} failed (${code})${what === "" ? "" : ` for ${what}`}`;
    default:
      return type satisfies never;
  }
}
