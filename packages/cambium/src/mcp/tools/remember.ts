import type { RememberInput } from "@cambium/client";
import type { Memory } from "@cambium/core";
import { CambiumError, isCambiumError } from "@cambium/core/errors";
import { z } from "zod";
import { refuseSecrets } from "../../secrets/refuse-secrets.js";
import { allowSecret, content, memoryFields, place } from "../schemas.js";
import { shortRecord } from "../shown-memory.js";
import { defineTool, type ToolContext, WRITES } from "../tool.js";
import { writeFeedback } from "../write-feedback.js";

const MAX_MORE = 50;

/** Keeps memories, and says at once what stands near them. */
export const remember = defineTool({
  name: "remember",
  title: "Remember",
  description:
    "Keep something worth knowing in later conversations: a fact, decision, preference or lesson (kind). One idea per memory, understandable without this chat. Answers with similar memories: where one says the same, revise that one instead. Undo: forget.",
  annotations: WRITES,
  input: () =>
    z.strictObject({
      content,
      also: z.array(content).max(MAX_MORE).describe("More memories with the same fields").optional(),
      ...memoryFields,
      ...place,
      allowSecret,
    }),
  run: async (call, args) => {
    const { content: first, also = [], branch: _branch, space: _space, allowSecret, ...fields } = args;
    const inputs = [first, ...also].map((text) => ({ ...fields, content: text }));
    for (const input of inputs) refuseSecrets(input, { allow: allowSecret });
    const written = await rememberAll(call, inputs);
    const { similar, conflicts, lines } = await writeFeedback(call, written);
    const ids = written.map(({ id }) => id);
    return {
      text: [`Remembered on ${call.branch}: ${ids.join(", ")}`, ...lines].join("\n"),
      data: {
        ...{ branch: call.branch, ids, records: written.map(({ record }) => shortRecord(record)) },
        ...{ similar, conflicts },
      },
    };
  },
});

async function rememberAll(call: ToolContext, inputs: readonly RememberInput[]): Promise<readonly Memory[]> {
  const agent = call.as();
  const written: Memory[] = [];
  for (const input of inputs) {
    try {
      written.push(await agent.remember(input, { branch: call.branch }));
    } catch (error) {
      if (written.length === 0 || !isCambiumError(error)) throw error;
      const kept = `Before it, ${written.length} of ${inputs.length} were kept: ${written.map(({ id }) => id).join(", ")}.`;
      throw new CambiumError(error.code, `${error.message} ${kept}`, {
        hint: `${error.hint ?? ""} Call again with the others only.`.trim(),
        cause: error,
      });
    }
  }
  return written;
}
