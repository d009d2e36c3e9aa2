import type { Space } from "@cambium/client";
import { omitUndefined } from "@cambium/core/text";
import { memoriesSimilarTo, memoriesStillSimilar } from "../../ask/same-memories.js";
import type { CommandDefinition } from "../command.js";
import { operationId } from "../operation-id.js";
import type { OptionTable } from "../option-table.js";
import { writeOptions } from "../options.js";
import { writtenReply } from "../render/written-reply.js";

const options = (command: OptionTable) =>
  writeOptions(command).option("--with-similar", "forget the memories that say the same, too");

export const forget: CommandDefinition<typeof options, [ids: readonly string[]]> = {
  about: "Hide memories. Nothing is deleted; `cambium restore` brings one back, `cambium undo` all of them",
  examples: ['cambium forget 0198c2a4-7d3e --reason "no longer true"', "cambium forget 0198c2a4 0198c2b7"],
  options,
  act: async (context, [named], { reason, withSimilar = false }) =>
    await context.withSpace(async ({ space, agent }) => {
      const { branch } = context;
      const ids = withSimilar ? await idsWithSimilar(space, named, branch) : named;
      const operation = ids.length > 1 ? operationId("forget") : undefined;
      const [id = "", ...also] = ids;
      const only = await agent.forget(id, { branch, ...omitUndefined({ reason, operation }), also });
      const forgotten = new Map([[only.id, only]]);
      for (const other of also) {
        const memory = await space.get(other, { branch });
        forgotten.set(memory.id, memory);
      }
      const memories = [...forgotten.values()];
      const similar =
        memories.length > 1
          ? []
          : await memoriesStillSimilar(space, only.content, { branch, except: [only.id] });
      const others = similar.length === 0 ? {} : { similar };
      const result = memories.length === 1 ? { ...only, ...others } : { memories, operation };
      return await context.answer(result, () =>
        [
          ...memories.map((memory) => writtenReply("Forgot", memory, context.style)),
          ...(similar.length === 0
            ? []
            : [`These say the same and are still here. To forget them: cambium forget ${similar.join(" ")}`]),
        ].join("\n"),
      );
    }),
};

async function idsWithSimilar(
  space: Space,
  ids: readonly string[],
  branch: string | undefined,
): Promise<readonly string[]> {
  const all = new Set<string>();
  for (const name of ids) {
    const { id, content } = await space.get(name, { branch });
    all.add(id);
    for (const other of await memoriesSimilarTo(space, content, { branch, except: [id] })) all.add(other);
  }
  return [...all];
}
