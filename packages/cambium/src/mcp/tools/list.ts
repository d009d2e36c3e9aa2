import { counted, omitUndefined, safeText } from "@cambium/core/text";
import { z } from "zod";
import { jsonBytes } from "../bytes.js";
import { operationFields } from "../operation-fields.js";
import { badCursor, dataOf, fitting, fromToken, textsOf, tokenOf } from "../pages.js";
import { periodNote } from "../period-note.js";
import { at, cursor, filters, limit, maxBytes, place } from "../schemas.js";
import { DATA_NOTE, memoryBlock, shownMemory } from "../shown-memory.js";
import { defineTool, READS } from "../tool.js";

const CONTENT_BYTES = 600;
const MAX_LISTED = 200;

/** Memories of a state by filters, newest first. */
export const list = defineTool({
  name: "list",
  title: "List",
  description:
    "List memories, newest first, by category, tag, kind or area, now or as of any past state. Call for an overview; to answer a question, recall is better. Reads only.",
  annotations: READS,
  input: () =>
    z.strictObject({
      ...filters,
      ...operationFields("list", { forgotten: true }),
      ...place,
      at,
      limit: limit(50, MAX_LISTED),
      maxBytes,
      cursor,
    }),
  run: async (call, { limit, maxBytes, cursor, space: _space, ...options }) => {
    const { branch } = call;
    const { after, skip } = placeOf(cursor);
    // A page of the library's may be more than fits: then the next answer takes the same page from further on.
    const page = await call.space.list({ ...options, branch, limit, cursor: after });
    const rest = page.memories.slice(skip);
    const shown = fitting(rest, maxBytes, (memory, room) => {
      const data = shownMemory(memory, Math.min(CONTENT_BYTES, room - jsonBytes(shownMemory(memory, 0))));
      return { data, text: memoryBlock(data) };
    });
    const next =
      shown.length < rest.length
        ? tokenOf([after ?? "", skip + shown.length])
        : page.cursor && tokenOf([page.cursor, 0]);
    const unreadable = page.unreadable ?? 0;
    const advice = page.advice?.map((one) => safeText(one));
    const lines = [
      `${counted(shown.length, "memory", "memories")} of ${branch}.`,
      ...(await periodNote(options, call.now)),
      ...(advice ?? []),
      ...(shown.length === 0 ? [] : [DATA_NOTE]),
      ...textsOf(shown),
      ...(unreadable === 0 ? [] : [`${unreadable} have not arrived on this device yet.`]),
      ...(next === undefined ? [] : [`There is more: call again with cursor: ${next}`]),
    ];
    return {
      text: lines.join("\n"),
      data: { branch, memories: dataOf(shown), ...omitUndefined({ advice, cursor: next }) },
    };
  },
});

function placeOf(cursor: string | undefined): { readonly after: string | undefined; readonly skip: number } {
  if (cursor === undefined) return { after: undefined, skip: 0 };
  const place = fromToken(cursor);
  if (!Array.isArray(place) || typeof place[0] !== "string" || !Number.isInteger(place[1])) throw badCursor();
  return { after: place[0] === "" ? undefined : place[0], skip: Math.max(0, place[1] as number) };
}
