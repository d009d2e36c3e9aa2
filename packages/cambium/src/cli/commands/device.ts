import { oneLine } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { DeclareOptions } from "../option-table.js";

export const device: CommandDefinition<DeclareOptions, [name?: string]> = {
  about: "Show or set the name of this device. Others see it beside what was written here",
  examples: ["cambium device", "cambium device laptop"],
  act: async (context, [name]) =>
    await context.withReplica(async (replica) => {
      const before = replica.name;
      if (name !== undefined) await replica.rename(name);
      const document = { replica: replica.id, name: replica.name };
      const { bold } = context.style.colors;
      return await context.answer(document, () =>
        replica.name === before
          ? `This device is called ${bold(oneLine(before))}.`
          : `This device is called ${bold(oneLine(replica.name))} now. Other devices see it after the next sync.`,
      );
    }),
};
