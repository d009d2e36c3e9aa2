/**
 * What an import that was stopped has brought by then, and how to take back just that.
 *
 * @module
 */
import type { Agent, Progress } from "@cambium/client";
import type { Context } from "./context.js";
import type { StoppedState } from "./failure.js";

/** A daemon finishes the batch that it has begun. */
const PAUSE_MS = 100;

/** @param last - how far it was known to be */
export async function stoppedImport(
  agent: Pick<Agent, "undo">,
  context: Context,
  { operation, last }: { readonly operation: string; readonly last: Progress | undefined },
): Promise<StoppedState> {
  const { done = 0, total } = last ?? {};
  await new Promise<void>((resolve) => void context.io.timers.after(PAUSE_MS, resolve));
  // The first batch may have been written without a word of it having come; later ones are too many to be looked at.
  const known = done > 0 ? done : await writtenBy(agent, context, operation);
  if (known === 0) return { lines: ["Stopped. Nothing was imported."] };
  const of = total === undefined ? "" : ` of ${total.toLocaleString("en")}`;
  return {
    lines: [
      `Stopped after ${known.toLocaleString("en")}${of} memories, or a few more. They stay; the same import again adds the rest.`,
      `To take back what this import wrote: ${context.commandHere("undo", "--change", operation)}`,
    ],
    details: { operation, memories: known, total },
  };
}

const writtenBy = async (agent: Pick<Agent, "undo">, { branch }: Context, change: string): Promise<number> =>
  await agent.undo({ branch, change, preview: true }).then(
    ({ memories }) => memories.length,
    () => 0, // nothing to take back
  );
