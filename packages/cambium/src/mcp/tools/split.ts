import { z } from "zod";
import { refuseSecrets } from "../../secrets/refuse-secrets.js";
import { allowSecret, content, memoryFields, memoryId, place } from "../schemas.js";
import { shortRecord } from "../shown-memory.js";
import { defineTool, TAKES_AWAY } from "../tool.js";
import { writeFeedback } from "../write-feedback.js";

/** Makes several memories of one. */
export const split = defineTool({
  name: "split",
  title: "Split",
  description:
    "Make several memories of one that says too much: one for each content, sharing the fields given. The old one is forgotten (restore brings it back). Undo: undo.",
  annotations: TAKES_AWAY,
  input: () =>
    z.strictObject({
      id: memoryId,
      contents: z.array(content).min(2).max(50),
      ...memoryFields,
      ...place,
      allowSecret,
    }),
  run: async (call, args) => {
    const { id, contents, branch: _branch, space: _space, allowSecret, ...fields } = args;
    const inputs = contents.map((one) => ({ ...fields, content: one }));
    for (const input of inputs) refuseSecrets(input, { allow: allowSecret });
    const { branch } = call;
    const memories = await call.as().split(id, inputs, { branch });
    const { similar, conflicts, lines } = await writeFeedback(call, memories);
    const ids = memories.map((memory) => memory.id);
    return {
      text: [`Split ${id} on ${branch} into ${ids.join(", ")}.`, ...lines].join("\n"),
      data: { branch, ids, records: memories.map(({ record }) => shortRecord(record)), similar, conflicts },
    };
  },
});
