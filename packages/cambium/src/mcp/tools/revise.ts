import type { ReviseInput } from "@cambium/client";
import { CambiumError } from "@cambium/core/errors";
import { MEMORY_FIELDS } from "@cambium/core/state-fields";
import { z } from "zod";
import { refuseSecrets } from "../../secrets/refuse-secrets.js";
import { operationFields } from "../operation-fields.js";
import { allowSecret, MODEL_FIELDS, memoryFields, place } from "../schemas.js";
import { shortRecord } from "../shown-memory.js";
import { defineTool, WRITES } from "../tool.js";
import { writeFeedback } from "../write-feedback.js";

const CLEARABLE = [...MODEL_FIELDS.filter((field) => MEMORY_FIELDS[field].clearable), "source"] as const;

/** No enum: the list of tools would name the fields twice. */
const clearable = z.string().refine((field) => (CLEARABLE as readonly string[]).includes(field), {
  error: `is no field that can be emptied; those are ${CLEARABLE.join(", ")}`,
});

/** Writes a new version; what is not named stays. */
export const revise = defineTool({
  name: "revise",
  title: "Revise",
  description:
    "Write a new version of a memory that changed, was incomplete, or wrong. Only the fields given change; earlier versions stay in its history. Give expect (the record you read) so that no newer version is overlooked. Undo: revise again with what history shows.",
  annotations: WRITES,
  input: () =>
    z.strictObject({
      ...operationFields("revise", { id: null, content: null, type: null, expect: null }),
      clear: z.array(clearable).describe("Fields to empty").optional(),
      ...memoryFields,
      ...place,
      allowSecret,
    }),
  run: async (call, args) => {
    const { id, expect, clear = [], branch: _branch, space: _space, allowSecret, ...fields } = args;
    // zod says `undefined` where the library leaves out.
    const input = { ...fields, ...Object.fromEntries(clear.map((field) => [field, null])) } as ReviseInput;
    const { reason: _reason, type: _type, ...changed } = input;
    if (Object.keys(changed).length === 0)
      throw new CambiumError("BAD_INPUT", "There is nothing to revise.", {
        hint: "Give a new content, fields to set, or fields to clear.",
      });
    refuseSecrets(input, { allow: allowSecret });
    const { branch } = call;
    const memory = await call.as().revise(id, input, { branch, ...(expect === undefined ? {} : { expect }) });
    const { similar, conflicts, lines } = await writeFeedback(call, [memory]);
    const record = shortRecord(memory.record);
    const isUnchanged = memory.unchanged === true;
    const done = isUnchanged
      ? `Nothing to revise: ${memory.id} on ${branch} says so already. No version was written`
      : `Revised ${memory.id} on ${branch}`;
    const summary = `${done}: version ${memory.version}, record ${record}`;
    return {
      text: [summary, ...lines].join("\n"),
      data: {
        ...{ branch, id: memory.id, record, version: memory.version, similar, conflicts },
        ...(isUnchanged ? { unchanged: true } : {}),
      },
    };
  },
});
