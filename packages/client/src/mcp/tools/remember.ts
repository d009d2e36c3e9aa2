import { z } from "zod";
import { allowSecret, content, count, items, memoryFields, place, texts } from "../schemas.js";
import { shortRecord } from "../shown-memory.js";
import { defineTool, WRITES } from "../tool.js";

const MAX_MORE = 50;

/** Keeps memories, and says at once what stands near them. */
export const remember = defineTool({
  name: "remember",
  title: "Remember",
  description: `Keep something worth knowing in later conversations: a fact, decision, preference or lesson. One idea each, understandable without this chat. Answers with similar memories; if one says the same, revise it instead. Undo: forget.`,
  annotations: WRITES,
  input: z.strictObject({
    content,
    also: z.array(content).max(MAX_MORE).describe("More memories with the same fields").optional(),
    ...memoryFields,
    ...place,
    allowSecret,
  }),
  output: z.looseObject({
    branch: z.string(),
    ids: texts,
    records: texts,
    similar: items,
    left: count.optional(),
  }),
  run: async (
    call,
    { content: first, also = [], branch: _branch, space: _space, allowSecret: _allowed, ...fields },
  ) => {
    const agent = call.as();
    const ids: string[] = [];
    const records: string[] = [];
    for (const one of [first, ...also]) {
      const memory = await agent.remember({ ...fields, content: one }, { branch: call.branch });
      ids.push(memory.id);
      records.push(shortRecord(memory.record));
    }
    return {
      text: `Remembered on ${call.branch}: ${ids.join(", ")}`,
      data: { branch: call.branch, ids, records, similar: [] },
    };
  },
});
