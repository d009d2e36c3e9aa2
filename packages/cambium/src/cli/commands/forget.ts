import type { Agent, Space } from "@cambium/client";
import { omitUndefined } from "@cambium/core/text";
import { memoriesSimilarTo, memoriesStillSimilar } from "../../ask/same-memories.js";
import type { Answer } from "../answer.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { labelsOf } from "../filter-options.js";
import { type ForgetOptions, forgetOptions } from "../forget-options.js";
import { operationId } from "../operation-id.js";
import { writtenReply } from "../render/written-reply.js";
import { UsageError } from "../usage-error.js";

export const forget: CommandDefinition<typeof forgetOptions, [ids: readonly string[]]> = {
  about:
    "Hide memories. Nothing is deleted; `cambium restore` brings one back, `cambium undo` all of them. With --no-trace, the past does not show them, either: then only `cambium restore` shows one again",
  examples: [
    'cambium forget 0198c2a4-7d3e --reason "no longer true"',
    "cambium forget 0198c2a4 0198c2b7",
    "cambium forget 0198c2a4 --no-trace",
    "cambium forget --no-trace --tag surprise",
  ],
  options: forgetOptions,
  act: async (context, [named], asked) => {
    if (!asked.trace)
      return await (await import("../conceal-memories.js")).concealMemories(context, named, asked);
    const { since, until, on, by } = asked;
    const filters = { ...labelsOf(asked), ...omitUndefined({ since, until, on, by }) };
    if (named.length === 0 || Object.keys(filters).length > 0)
      throw new UsageError(
        "Say which memories to forget.",
        'By their ids: cambium forget <id>, which `cambium list` shows, also by --tag or --category. By a label: cambium ask "forget everything tagged …". With --no-trace, which hides them from the past as well, labels and times may stand here.',
      );
    return await context.withSpace(async (opened) => await forgetNamed(context, opened, named, asked));
  },
};

async function forgetNamed(
  context: Context,
  { space, agent }: { readonly space: Space; readonly agent: Agent },
  named: readonly string[],
  { reason, withSimilar }: ForgetOptions,
): Promise<Answer> {
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
    memories.length > 1 ? [] : await memoriesStillSimilar(space, only.content, { branch, except: [only.id] });
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
}

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
