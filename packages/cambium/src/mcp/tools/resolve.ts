import type { StateField } from "@cambium/core";
import { z } from "zod";
import { refuseSecrets } from "../../secrets/refuse-secrets.js";
import { operationFields } from "../operation-fields.js";
import { allowSecret, label, place } from "../schemas.js";
import { conflictLine, HOW_TO_RESOLVE, shortRecord, shownConflict } from "../shown-memory.js";
import { defineTool, TAKES_AWAY } from "../tool.js";

/** Decides what two sides left undecided in one memory. */
export const resolve = defineTool({
  name: "resolve",
  title: "Resolve",
  description:
    "Decide an open conflict in a memory: keep one value (its record), or give new content. discard names the records of all other values. Ask the user when you cannot know. Undo: `cambium undo`.",
  annotations: TAKES_AWAY,
  form: HOW_TO_RESOLVE,
  input: () =>
    z.strictObject({
      ...operationFields("resolve", { id: null }),
      field: label.describe("Default: all in conflict").optional(),
      ...operationFields("resolve", { keep: "Record", content: null, discard: "Records", reason: null }),
      ...place,
      allowSecret,
    }),
  run: async (call, { id, field, keep, content, discard, reason, allowSecret }) => {
    refuseSecrets({ content, reason }, { allow: allowSecret });
    const { branch } = call;
    const resolution = { field: field as StateField | undefined, keep, content, discard, reason };
    const memory = await call.as().resolve(id, resolution, { branch });
    const conflicts = memory.conflicts.slice(0, 3).map(shownConflict);
    const record = shortRecord(memory.record);
    const left = conflicts.length === 0 ? "Nothing is left undecided in it." : "Still open:";
    return {
      text: [
        `Resolved ${memory.id} on ${branch}, record ${record}. ${left}`,
        ...conflicts.map(conflictLine),
      ].join("\n"),
      data: { branch, id: memory.id, record, conflicts },
    };
  },
});
