import { omitUndefined } from "@cambium/core/text";
import { z } from "zod";
import { memoriesStillSimilar } from "../../ask/same-memories.js";
import { operationFields } from "../operation-fields.js";
import { place } from "../schemas.js";
import { shortRecord } from "../shown-memory.js";
import { defineTool, TAKES_AWAY } from "../tool.js";

/** Hides a memory; its history stays. */
export const forget = defineTool({
  name: "forget",
  title: "Forget",
  description:
    "Hide memories (id, also) that are wrong or no longer wanted. They leave recall, their history stays, and `cambium restore <id>` brings one back. For something that changed, revise instead.",
  annotations: TAKES_AWAY,
  input: () =>
    z.strictObject({
      ...operationFields("forget", { id: null, also: null, reason: null }),
      trace: z.boolean().optional().describe("false: in the past, too (needs approval)"),
      ...place,
    }),
  run: async (call, { id, also = [], reason, trace }) => {
    const { branch } = call;
    if (trace === false) {
      const concealed = await call.as().conceal([id, ...also], { branch });
      const ids = concealed.map((one) => one.id);
      return {
        text: `Concealed ${ids.join(", ")}: no view shows it any more, of the past either. The owner can show it again: cambium restore <id>.`,
        data: { branch, concealed: ids },
      };
    }
    const memory = await call.as().forget(id, { branch, also, ...omitUndefined({ reason }) });
    const except = [memory.id];
    const similar = await memoriesStillSimilar(call.space, memory.content, { branch, except });
    const others = `These say the same and are still here; forget them too if they should go: ${similar.join(", ")}`;
    return {
      text: [
        also.length === 0
          ? `Forgot ${memory.id} on ${branch}. It can be restored.`
          : `Forgot ${memory.id} and ${also.length} more on ${branch}. They can be restored.`,
        ...(similar.length > 0 ? [others] : []),
      ].join("\n"),
      data: { branch, id: memory.id, record: shortRecord(memory.record), similar },
    };
  },
});
