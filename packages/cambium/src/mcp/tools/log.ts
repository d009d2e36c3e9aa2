import type { LogEvent } from "@cambium/client";
import type { LogEntry } from "@cambium/core";
import { counted, omitUndefined, safeText } from "@cambium/core/text";
import { z } from "zod";
import { operationFields } from "../operation-fields.js";
import { badCursor, dataOf, fitting, fromToken, type Shown, textsOf, tokenOf } from "../pages.js";
import { periodNote } from "../period-note.js";
import { at, cursor, limit, maxBytes, place } from "../schemas.js";
import { DATA_NOTE, one, shownAuthor, shownLabel, shownTime, shownValue } from "../shown-memory.js";
import { defineTool, READS } from "../tool.js";

const MAX_CHANGES = 200;
const MAX_IDS = 8;
const SHORT_HASH = 16;
const MAX_EVENTS = 20;

/** What was done to a branch, newest first. */
export const log = defineTool({
  name: "log",
  title: "Log",
  description:
    "List the changes of a branch, newest first: what was done, when, by whom and to which memories. The hash of a change is what undo takes. Reads only.",
  annotations: READS,
  input: () =>
    z.strictObject({
      ...operationFields("log", {
        ...{ since: "Date or words: last 24 hours", until: null },
        ...{ type: "remember, merge, undo …", agent: null, category: null, tag: null },
      }),
      ...place,
      at,
      limit: limit(30, MAX_CHANGES),
      maxBytes,
      cursor,
    }),
  run: async (call, { since, until, type, agent, category, tag, at, limit, maxBytes, cursor }) => {
    const { branch } = call;
    const from = cursor === undefined ? undefined : fromToken(cursor);
    if (from !== undefined && typeof from !== "string") throw badCursor();
    const page = await call.space.log({
      ...{ branch, at, limit },
      ...omitUndefined({ since, until, type, agent, category, tag }),
      ...(from === undefined ? {} : { cursor: from }),
    });
    const shown = fitting(page.changes, maxBytes, shownChange);
    const last = page.changes[shown.length - 1]?.hash;
    const isCut = shown.length < page.changes.length || page.cursor !== undefined;
    const next = isCut && last !== undefined ? tokenOf(last) : undefined;
    const lines = [
      `${counted(shown.length, "change")} of ${branch}, newest first.`,
      ...(page.advice ?? []).map((one) => safeText(one)),
      ...(await periodNote({ since, until }, call.now)),
      ...(shown.some(({ data }) => data.reason !== undefined) ? [DATA_NOTE] : []),
      ...textsOf(shown),
      ...(page.events ?? []).slice(0, MAX_EVENTS).map(eventLine),
      ...(next === undefined ? [] : [`Older changes: call again with cursor: ${next}`]),
    ];
    return {
      text: lines.join("\n"),
      data: { branch, changes: dataOf(shown), ...(next === undefined ? {} : { cursor: next }) },
    };
  },
});

/** What was done besides changes. */
function eventLine({ type, from, at, by, name, of, code }: LogEvent): string {
  const words = [name, of, code].filter((word) => word !== undefined).map(shownLabel);
  const where = from === "device" ? " (noted on this device alone)" : "";
  return `- ${shownTime(at)} ${shownAuthor(by)}: ${type} ${words.join(" ")}`.trimEnd() + where;
}

interface ShownEntry {
  readonly change: string;
  readonly type: string;
  readonly at: string;
  readonly by: string;
  readonly memories: readonly string[];
  readonly count: number;
  readonly reason?: string;
}

function shownChange({ hash, type, at, by, memories, reason }: LogEntry): Shown<ShownEntry> {
  const ids = typeof memories === "number" ? [] : memories;
  const data: ShownEntry = {
    ...{ change: hash.slice(0, SHORT_HASH), type, at: shownTime(at), by: shownAuthor(by) },
    ...{ memories: ids.slice(0, MAX_IDS), count: typeof memories === "number" ? memories : ids.length },
    ...(reason === undefined ? {} : { reason: shownValue(reason, 200) }),
  };
  const named = data.memories.join(", ");
  const more = data.count > data.memories.length ? `${data.count} memories` : "";
  const why = data.reason === undefined ? "" : `, because ${one(data.reason)}`;
  const which = [named, more].filter((part) => part !== "").join(" of ");
  return { data, text: `- ${data.change} ${data.at} ${data.by}: ${type} ${which}${why}` };
}
