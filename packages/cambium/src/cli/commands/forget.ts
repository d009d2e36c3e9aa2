import type { Memory } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import { operationId } from "../operation-id.js";
import { type WriteOptions, writeOptions } from "../options.js";
import { writtenReply } from "../render/written-reply.js";

export const forget: CommandDefinition<WriteOptions, [ids: readonly string[]]> = {
  about: "Hide memories. Nothing is deleted; `cambium restore` brings one back, `cambium undo` all of them",
  examples: ['cambium forget 0198c2a4-7d3e --reason "no longer true"', "cambium forget 0198c2a4 0198c2b7"],
  options: writeOptions,
  act: async (context, [ids], { reason }) =>
    await context.withSpace(async ({ space, agent }) => {
      const { branch } = context;
      const operation = ids.length > 1 ? operationId("forget") : undefined;
      // One that is not there is reported before anything is forgotten.
      if (ids.length > 1) for (const id of ids) await space.get(id, { branch });
      const memories: Memory[] = [];
      for (const id of ids)
        memories.push(await agent.forget(id, { branch, ...omitUndefined({ reason, operation }) }));
      const [only] = memories;
      const result = memories.length === 1 && only !== undefined ? only : { memories, operation };
      return await context.answer(result, () =>
        memories.map((memory) => writtenReply("Forgot", memory, context.style)).join("\n"),
      );
    }),
};
