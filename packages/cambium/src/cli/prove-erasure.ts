/**
 * `erase --prove`: whether a text is in any file of the home. It also works where no space can be opened.
 *
 * @module
 */
import type { FoundTrace } from "@cambium/client";
import { isCambiumError } from "@cambium/core";
import type { Answer } from "./answer.js";
import type { Context } from "./context.js";
import { readText } from "./read-text.js";
import { tracesText } from "./render/erasure.js";
import { UsageError } from "./usage-error.js";

/** Shorter ones stand in every file by chance. */
const LEAST_PROVABLE = 3;
const FOUND_EXIT = 1;
/** Options that say where to look and how to answer. */
const BESIDE: ReadonlySet<string> = new Set([
  ...["prove", "space", "branch", "agent", "json", "yes", "ownerCodeFile"],
]);

/** @throws {UsageError} beside anything that would erase: it would be left undone, and look as if it were proven */
export async function proveErased(
  context: Context,
  prove: readonly string[],
  { ids, options }: { readonly ids: readonly string[]; readonly options: object },
): Promise<Answer> {
  const other = Object.entries(options).find(([name, value]) => value !== undefined && !BESIDE.has(name));
  if (ids.length > 0 || other !== undefined)
    throw new UsageError(
      "--prove only looks, and erases nothing: it stands alone.",
      'Erase first, then look: cambium erase --prove "<the text>"',
    );
  const texts: string[] = [];
  for (const text of prove) texts.push(provable((await readText(text, context.io)).trim()));
  const traces = await tracesOf(context, texts);
  const document = {
    traces: traces.map(({ path, where, memory }) => ({ path, where, ...(memory && { memory }) })),
  };
  return await context.answer(
    document,
    () => tracesText(traces, context.style),
    traces.length === 0 ? 0 : FOUND_EXIT,
  );
}

async function tracesOf(context: Context, texts: readonly string[]): Promise<readonly FoundTrace[]> {
  try {
    return await context.withSpace(({ space }) => space.traces(texts));
  } catch (error) {
    const isClosed = isCambiumError(error, "SPACE_NOT_FOUND") || isCambiumError(error, "STORE_DAMAGED");
    if (!isClosed || context.spaceWords !== "") throw error;
    const { tracesInHome } = await import("@cambium/client/host");
    return await tracesInHome(context.home, texts);
  }
}

function provable(text: string): string {
  if (text.length >= LEAST_PROVABLE) return text;
  throw new UsageError(
    `A text to look for has at least ${LEAST_PROVABLE} letters: shorter ones are found by chance.`,
    "Give more of it: cambium erase --prove <text>",
  );
}
