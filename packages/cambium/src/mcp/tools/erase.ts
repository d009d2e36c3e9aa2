import { counted, omitUndefined } from "@cambium/core/text";
import { z } from "zod";
import { operationFields } from "../operation-fields.js";
import { confirmed, label, memoryId, place } from "../schemas.js";
import { one, shownValue } from "../shown-memory.js";
import { defineTool, TAKES_AWAY } from "../tool.js";

const LISTED = 20;
const CONTENT_BYTES = 200;

/** Shows what would be destroyed; does it, or asks the owner for it, once a call says how many memories are meant. */
export const erase = defineTool({
  name: "erase",
  title: "Erase",
  description:
    "Destroy memories on every device, only if the user asks. No undo; forget hides. The first call previews; show it, then call with confirm.",
  annotations: TAKES_AWAY,
  input: () =>
    z.strictObject({
      ids: z.array(memoryId).min(1).max(200).optional(),
      query: label.describe("What speaks of this").optional(),
      ...operationFields("erase", {
        also: "From the preview, or all",
        confirm: "From the preview: how many",
        reason: null,
      }),
      confirmed,
      ...place,
    }),
  run: async (call, { ids, query, also, confirm, reason, confirmed: isConfirmed }) => {
    const { branch, signal } = call;
    const options = { ...omitUndefined({ ids, query, also, reason, confirm }), branch, signal };
    const isPreview = confirm === undefined;
    const agent = call.as(omitUndefined({ confirmed: isConfirmed }));
    const result = await agent.erase({ ...options, preview: isPreview });
    const { status, counts, memories, repeated, erasure } = result;
    const goes = `${counted(counts.memories, "memory", "memories")}, ${counted(counts.versions, "version")}`;
    const line = ({ id, content = "" }: { readonly id: string; readonly content?: string }) =>
      `- ${id}: ${one(shownValue(content, CONTENT_BYTES))}`;
    const staying =
      repeated.length === 0
        ? []
        : ["These stay and may repeat it; also takes them along:", ...repeated.slice(0, LISTED).map(line)];
    const text =
      status === "erased"
        ? [`Erased for good: ${goes}.`, ...staying]
        : [
            `Would erase for good: ${goes}. Nothing was erased.`,
            ...memories.slice(0, LISTED).map(line),
            ...staying,
            `Ask the user, then call again with confirm: ${counts.memories}.`,
          ];
    return {
      text: text.join("\n"),
      data: {
        status,
        counts,
        ids: memories.slice(0, LISTED).map(({ id }) => id),
        mayRepeat: repeated.slice(0, LISTED).map(({ id }) => id),
        ...omitUndefined({ erasure }),
      },
    };
  },
});
