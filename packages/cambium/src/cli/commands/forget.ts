import { omitUndefined } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import { type WriteOptions, writeOptions } from "../options.js";
import { writtenReply } from "../render/written-reply.js";

export const forget: CommandDefinition<WriteOptions, [id: string]> = {
  about: "Hide a memory. Nothing is deleted; `cambium restore` brings it back",
  examples: ['cambium forget 0198c2a4-7d3e --reason "no longer true"'],
  options: writeOptions,
  act: async (context, [id], { reason }) =>
    await context.withSpace(async ({ agent }) => {
      const memory = await agent.forget(id, { branch: context.branch, ...omitUndefined({ reason }) });
      return await context.answer(memory, () => writtenReply("Forgot", memory, context.style));
    }),
};
