import type { KeptFields } from "@cambium/client";
import { counted, shortHash, textGoneLine } from "@cambium/core/text";
import { z } from "zod";
import { operationFields } from "../operation-fields.js";
import { fitting, textsOf } from "../pages.js";
import { confirmed, place, USUAL_BYTES } from "../schemas.js";
import { DATA_NOTE, one, shownValue } from "../shown-memory.js";
import { defineTool, TAKES_AWAY } from "../tool.js";

/** So many changes are named. */
const NAMED = 3;

/** Takes back the last change, the last few, or a named one. */
export const undo = defineTool({
  name: "undo",
  title: "Undo",
  description:
    "Take back the last change of a branch, the last few, or one by its hash (from log). What others wrote since stays. It is a new change, so undo can be undone.",
  annotations: TAKES_AWAY,
  input: () =>
    z.strictObject({
      ...operationFields("undo", {
        change: "Hash. Default: the last one",
        last: "That many of the last changes",
        preview: null,
        reason: null,
      }),
      confirmed,
      ...place,
    }),
  run: async (call, { change, last, preview, reason, confirmed }) => {
    const { branch } = call;
    const result = await call.as({ confirmed }).undo({ branch, change, last, preview, reason });
    const shown = fitting(result.memories, USUAL_BYTES, ({ id, content, deleted }) => {
      const data = { id, content: shownValue(content, 300), deleted };
      return { data, text: `- ${id}${deleted ? " (forgotten)" : ""}: ${one(data.content)}` };
    });
    const left = result.memories.length - shown.length;
    const kept = result.kept.slice(0, 20);
    const textsGone = result.textsGone?.slice(0, 20);
    const undone = result.changes.slice(0, 20).map((hash) => hash.slice(0, 16));
    const { length } = result.changes;
    const more = length > NAMED ? ` and ${length - NAMED} more changes` : "";
    const of = `${result.changes.slice(0, NAMED).map(shortHash).join(", ")}${more}`;
    const memories = counted(result.memories.length, "memory", "memories");
    const lines = [
      result.status === "preview"
        ? `Would take back ${of} on ${branch}: ${memories}. Nothing is written yet. Then:`
        : `Took back ${of} on ${branch}: ${memories}. Now:`,
      ...(shown.length === 0 ? [] : [DATA_NOTE]),
      ...textsOf(shown),
      ...(left === 0 ? [] : [`${left} more memories are not shown.`]),
      ...kept.map(keptLine),
      ...(textsGone ?? []).map(textGoneLine),
    ];
    return {
      text: lines.join("\n"),
      data: {
        branch,
        change: result.change?.slice(0, 16),
        undone,
        memories: shown.map(({ data }) => data),
        kept,
        ...(textsGone === undefined ? {} : { textsGone }),
        left,
      },
    };
  },
});

export const keptLine = ({ id, fields }: KeptFields): string =>
  `Not taken back, as others decided it or a conflict was settled: ${id} ${fields.join(", ")}`;
