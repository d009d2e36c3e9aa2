import type { Memory } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { writeOptions } from "../options.js";
import { writtenReply } from "../render/written-reply.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  writeOptions(command)
    .option("--version <version>", "the version to bring back, by number or record")
    .option("--at <ref>", "the state to bring it back from, such as 2026-08-01");

export const restore: CommandDefinition<typeof options, [id: string]> = {
  about:
    "Bring back a forgotten memory, or an earlier version of one, as a new version. One that was concealed is shown again, with its history",
  examples: [
    "cambium restore 0198c2a4-7d3e",
    "cambium restore 0198c2a4-7d3e --version 2",
    'cambium restore 0198c2a4-7d3e --at "2 weeks ago" --reason "the change was wrong"',
  ],
  options,
  act: async (context, [id], { version, at, reason }) => {
    if (version !== undefined && at !== undefined) {
      throw new UsageError("Give either a version or a state, not both.");
    }
    return await context.withSpace(async ({ agent, space }) => {
      const from = omitUndefined({
        version: version === undefined ? undefined : versionNameOf(version),
        at,
        reason,
      });
      const { branch } = context;
      const restored = async (memory: Memory) =>
        await context.answer(memory, () => writtenReply("Restored", memory, context.style));
      const { revealedInstead } = await import("../conceal-memories.js");
      const memory = context.isForOwner ? await revealedInstead(space, { agent, id, branch }) : undefined;
      // What was only concealed is there again as it was.
      if (memory !== undefined && version === undefined && at === undefined && !memory.deleted)
        return await context.answer(memory, () => writtenReply("Shown again:", memory, context.style));
      return await restored(await agent.restore(id, { branch, ...from }));
    });
  },
};

/** Short digits are a number, as `history` shows it; anything longer is the beginning of a record. */
const versionNameOf = (text: string): number | string =>
  /^v?\d{1,6}$/.test(text) ? Number(text.replace("v", "")) : text;
