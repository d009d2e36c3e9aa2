import { z } from "zod";
import { operationFields } from "../operation-fields.js";
import { at, place } from "../schemas.js";
import { one, shortRecord, shownValue } from "../shown-memory.js";
import { defineTool, WRITES } from "../tool.js";

/** Brings back a forgotten memory, or an earlier version of one. */
export const restore = defineTool({
  name: "restore",
  title: "Restore",
  description:
    "Bring back a forgotten memory, or an earlier version of one: give version (from history), or at (a past state). Writes a new version; nothing in between is lost. Undo: undo.",
  annotations: WRITES,
  input: () =>
    z.strictObject({
      ...operationFields("restore", { id: null, version: "Number, or beginning of a record" }),
      at,
      ...operationFields("restore", { reason: null }),
      ...place,
    }),
  run: async (call, { id, version, at, reason }) => {
    const { branch } = call;
    const memory = await call.as().restore(id, {
      branch,
      ...(version === undefined ? {} : { version: /^\d{1,6}$/.test(version) ? Number(version) : version }),
      ...(at === undefined ? {} : { at }),
      ...(reason === undefined ? {} : { reason }),
    });
    const record = shortRecord(memory.record);
    return {
      text: `Restored ${memory.id} on ${branch} as version ${memory.version}, record ${record}: ${one(shownValue(memory.content))}`,
      data: { branch, id: memory.id, record, version: memory.version },
    };
  },
});
