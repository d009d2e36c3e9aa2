import { z } from "zod";
import { refuseSecrets } from "../../secrets/refuse-secrets.js";
import { allowSecret, content, memoryFields, memoryId, place } from "../schemas.js";
import { shortRecord } from "../shown-memory.js";
import { defineTool, TAKES_AWAY } from "../tool.js";
import { writeFeedback } from "../write-feedback.js";

/** Makes one memory of several. */
export const combine = defineTool({
  name: "combine",
  title: "Combine",
  description:
    "Make one memory of several that belong together: the new one has your content and links to them, and they are forgotten (restore brings them back). Undo: undo.",
  annotations: TAKES_AWAY,
  input: () =>
    z.strictObject({
      ids: z.array(memoryId).min(2).max(100),
      content,
      ...memoryFields,
      ...place,
      allowSecret,
    }),
  run: async (call, args) => {
    const { ids, branch: _branch, space: _space, allowSecret, ...input } = args;
    refuseSecrets(input, { allow: allowSecret });
    const { branch } = call;
    const memory = await call.as().combine(ids, input, { branch });
    const { similar, conflicts, lines } = await writeFeedback(call, [memory]);
    const record = shortRecord(memory.record);
    return {
      text: [`Combined ${ids.length} memories into ${memory.id} on ${branch}.`, ...lines].join("\n"),
      data: { branch, id: memory.id, record, similar, conflicts },
    };
  },
});
