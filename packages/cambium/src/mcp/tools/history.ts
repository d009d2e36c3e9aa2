import type { HistoryVersion } from "@cambium/client";
import { counted, shownContent } from "@cambium/core/text";
import { z } from "zod";
import { operationFields } from "../operation-fields.js";
import { dataOf, fitting, type Shown, skipOf, textsOf, tokenOf } from "../pages.js";
import { at, cursor, limit, maxBytes, place } from "../schemas.js";
import {
  DATA_NOTE,
  one,
  shortRecord,
  shownAuthor,
  shownSource,
  shownTime,
  shownValue,
} from "../shown-memory.js";
import { defineTool, READS } from "../tool.js";

const CONTENT_BYTES = 1_000;
const MAX_VERSIONS = 100;

/** The versions of one memory, newest first: what was said, when, by whom and why. */
export const history = defineTool({
  name: "history",
  title: "History",
  description:
    "Show every version of one memory, newest first: what it said, who changed it, when and why. Call when you doubt a memory, or are asked what was believed before.",
  annotations: READS,
  input: () =>
    z.strictObject({
      ...operationFields("history", { id: null }),
      ...place,
      at,
      limit: limit(20, MAX_VERSIONS),
      maxBytes,
      cursor,
    }),
  run: async (call, { id, at, limit, maxBytes, cursor }) => {
    const { branch, space } = call;
    const memory = await space.get(id, { branch, at });
    const versions = (await space.history(memory.id, { branch, at })).toReversed();
    const skip = skipOf(cursor);
    const page = versions.slice(skip, skip + limit);
    const shown = fitting(page, maxBytes, (version, room) => shownVersion(version, room));
    const end = skip + shown.length;
    const next = end < versions.length ? tokenOf(end) : undefined;
    const lines = [
      `${counted(versions.length, "version")} of ${memory.id} on ${branch}, newest first.`,
      ...(shown.length === 0 ? [] : [DATA_NOTE]),
      ...textsOf(shown),
      ...(next === undefined ? [] : [`Older versions: call again with cursor: ${next}`]),
    ];
    return {
      text: lines.join("\n"),
      data: {
        ...{ branch, id: memory.id, total: versions.length, versions: dataOf(shown) },
        ...(next === undefined ? {} : { cursor: next }),
      },
    };
  },
});

interface ShownVersion {
  readonly version: number;
  readonly record: string;
  readonly at: string;
  readonly by: string;
  readonly type: string;
  readonly change: string;
  readonly source?: string;
  readonly reason?: string;
  readonly content: string;
}

function shownVersion(version: HistoryVersion, room: number): Shown<ShownVersion> {
  const size = Math.max(200, Math.min(CONTENT_BYTES, room - 900));
  const data: ShownVersion = {
    version: version.version,
    record: shortRecord(version.record),
    at: shownTime(version.at),
    by: shownAuthor(version.by),
    type: version.type,
    change: shownValue(version.change.summary, 200),
    ...(version.source === undefined ? {} : { source: shownSource(version.source) }),
    ...(version.reason === undefined ? {} : { reason: shownValue(version.reason, 200) }),
    content: shownValue(shownContent(version), size),
  };
  const head = `Version ${data.version}, record ${data.record}, ${data.at}, ${data.by}, ${data.type}: ${one(data.change)}`;
  const why = data.reason === undefined ? [] : [`  because ${one(data.reason)}`];
  const from = data.source === undefined ? [] : [`  source: ${one(data.source)}`];
  return { data, text: [head, ...from, ...why, `  ${one(data.content)}`].join("\n") };
}
