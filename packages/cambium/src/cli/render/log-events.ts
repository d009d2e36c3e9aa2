/**
 * What was done besides changes, for people: one line each, below the changes of the log.
 *
 * @module
 */
import type { LogEvent } from "@cambium/client";
import { counted, oneLine, shortId } from "@cambium/core/text";
import { authorName } from "./author.js";
import type { Style } from "./style.js";
import { absoluteTime } from "./time.js";

/** More of them than changes would hide these. */
const ROWS = 20;

export function logEventsText(events: readonly LogEvent[], style: Style): string {
  if (events.length === 0) return "";
  const { colors } = style;
  const rows = events.slice(0, ROWS).map((event) => {
    const { seq, from, at, reason } = event;
    const where = from === "space" ? "" : ` (${seq === undefined ? "in" : `entry ${seq} of`} its audit log)`;
    const why = reason === undefined ? "" : `: ${oneLine(reason)}`;
    return `  ${colors.dim(absoluteTime(at))}  ${colors.cyan(whoOf(event))} ${actionOf(event)}${colors.dim(`${why}${where}`)}`;
  });
  const more = events.length - rows.length;
  return [
    "Besides:",
    ...rows,
    ...(more > 0 ? [colors.dim(`  … and ${more} more; --json lists them`)] : []),
  ].join("\n");
}

/** Its audit log does not say the device each time. */
const whoOf = ({ from, by }: LogEvent): string =>
  from === "device" && by.replica === undefined
    ? ["this device", ...(by.agent === undefined ? [] : [oneLine(by.agent)])].join(" · ")
    : authorName(by);

function actionOf({ type, name = "", of = "", code = "", memories = [] }: LogEvent): string {
  const which = oneLine(name);
  const what =
    typeof memories === "number" ? counted(memories, "memory", "memories") : memories.map(shortId).join(", ");
  switch (type) {
    case "checkpoint":
      return `made the checkpoint ${which}`;
    case "branch":
      return `made the branch ${which}`;
    case "rename-branch":
      return `renamed the branch ${which}`;
    case "delete-branch":
      return which === "" ? "deleted a branch" : `deleted the branch ${which}`;
    case "restore-branch":
      return `brought back the branch ${which}`;
    case "delete-checkpoint":
      return "deleted a checkpoint";
    case "reinforce":
      return `reinforced ${what}`;
    case "verify":
      return "verified what is stored";
    case "settings":
      return `set ${which} to ${oneLine(of)}`;
    case "retention":
      return `pruned old texts of ${what}`;
    case "failed":
      return `failed to ${oneLine(of)}${what === "" ? "" : ` ${what}`} (${code})`;
    default:
      return type satisfies never;
  }
}
