/**
 * `forget --no-trace`, and its way back: memories that the past does not show, either.
 *
 * @module
 */
import type { Agent, ListOptions, Space } from "@cambium/client";
import { isCambiumError, type Memory } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { Answer } from "./answer.js";
import { isConfirmed } from "./ask.js";
import type { Context } from "./context.js";
import { labelsOf } from "./filter-options.js";
import type { ForgetOptions } from "./forget-options.js";
import { readPeriodOptions } from "./period-options.js";
import { concealedReply, concealedTable } from "./render/concealed.js";
import { memoryTable } from "./render/memory.js";
import { adviceLines } from "./render/recalled.js";
import { UsageError } from "./usage-error.js";

export async function concealMemories(
  context: Context,
  named: readonly string[],
  asked: ForgetOptions,
): Promise<Answer> {
  if (asked.reason !== undefined)
    throw new UsageError("--reason is kept in the history, and --no-trace leaves nothing there.");
  if (asked.withSimilar)
    throw new UsageError("--with-similar does not go with --no-trace.", "Name the memories by their ids.");
  const period = await readPeriodOptions(asked, context);
  const filter = {
    ...labelsOf(asked),
    ...omitUndefined({ agent: asked.by, since: period.since, until: period.until }),
  };
  const isFiltered = Object.keys(filter).length > 0;
  if (isFiltered === named.length > 0)
    throw new UsageError(
      "Name memories by their ids, or choose them by labels or times: one of the two.",
      "For instance: cambium forget <id> --no-trace, or cambium forget --no-trace --tag surprise",
    );
  const chosen = isFiltered
    ? await context.withSpace(({ space }) => chosenIn(space, { ...filter, branch: context.branch }))
    : undefined;
  if (chosen?.memories.length === 0)
    return await context.answer({ memories: [], ...period.document }, () =>
      [
        ...period.lines,
        "No memory matches. Nothing was concealed.",
        ...adviceLines(chosen.advice, context.style),
      ].join("\n"),
    );
  if (chosen !== undefined && asked.yes !== true) {
    const { style, io } = context;
    const shown = [...period.lines, memoryTable(chosen.memories, style)].join("\n");
    const question = `Conceal ${chosen.memories.length === 1 ? "this memory" : `these ${chosen.memories.length} memories`}?`;
    const hint = "Look at them with `cambium list`, then add --yes.";
    if (!(await isConfirmed(shown, question, io, hint)))
      return await context.answer({ memories: [] }, () => "Nothing was concealed.");
  }
  return await context.withSpace(async ({ agent }) => {
    const ids = chosen?.memories.map(({ id }) => id) ?? named;
    const memories = await agent.conceal(ids, { branch: context.branch });
    return await context.answer({ memories, ...period.document }, () =>
      concealedReply(memories, context.style),
    );
  });
}

const PAGE = 1_000;

interface Chosen {
  readonly memories: readonly Memory[];
  /** Where nothing matches: which labels there are. */
  readonly advice: readonly string[] | undefined;
}

/** Forgotten ones, too: the past shows them. */
async function chosenIn(space: Space, filter: ListOptions): Promise<Chosen> {
  const found: Memory[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await space.list({ ...filter, deleted: true, limit: PAGE, ...omitUndefined({ cursor }) });
    found.push(...page.memories);
    cursor = page.cursor;
    if (cursor === undefined) return { memories: found, advice: page.advice };
  }
}

export async function listConcealed(context: Context): Promise<Answer> {
  return await context.withSpace(async ({ agent }) => {
    const memories = await agent.concealed({ branch: context.branch });
    return await context.answer({ memories }, () => concealedTable(memories, context.style));
  });
}

/**
 * Reveals a memory that no state shows, for the owner; undefined where it is not concealed. A restore of it would fail,
 * and say so: to an agent it is one that is not known.
 */
export async function revealedInstead(
  space: Space,
  { agent, id, branch }: { readonly agent: Agent; readonly id: string; readonly branch: string | undefined },
): Promise<Memory | undefined> {
  try {
    await space.get(id, { branch });
    return undefined;
  } catch (error) {
    if (!isCambiumError(error, "MEMORY_NOT_FOUND")) return undefined; // the restore says what is wrong
  }
  try {
    return (await agent.reveal([id], { branch }))[0]?.memory;
  } catch (error) {
    if (isCambiumError(error, "MEMORY_NOT_FOUND")) return undefined;
    throw error;
  }
}
