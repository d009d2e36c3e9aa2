/**
 * What an import that was stopped has brought by then, and how to take back just that.
 *
 * @module
 */
import type { Agent, Progress } from "@cambium/client";
import type { Context } from "./context.js";
import type { StoppedState } from "./failure.js";

/** A daemon finishes the batch that it has begun: between two looks at what is written. */
const PAUSE_MS = 100;
/** Whoever pressed Ctrl-C does not wait longer for a count. */
const COUNTING_MS = 1_000;

/** @param last - how far it was known to be */
export async function stoppedImport(
  agent: Pick<Agent, "undo">,
  context: Context,
  { operation, last }: { readonly operation: string; readonly last: Progress | undefined },
): Promise<StoppedState> {
  const { done = 0, total } = last ?? {};
  const stop = new AbortController();
  const late = pause(context, COUNTING_MS).then(() => stop.abort());
  const written = await Promise.race([settledCount(agent, context, operation, stop.signal), late]);
  const known = written ?? done;
  if (known === 0) return { lines: ["Stopped. Nothing was imported."] };
  const of = total === undefined ? "" : ` of ${total.toLocaleString("en")}`;
  const more = written === undefined ? ", or a few more" : "";
  return {
    lines: [
      `Stopped after ${known.toLocaleString("en")}${of} memories${more}. They stay; the same import again adds the rest.`,
      `To take back what this import wrote: ${context.commandHere("undo", "--change", operation)}`,
    ],
    details: { operation, memories: known, total },
  };
}

/** How many were written, once two looks see the same. */
async function settledCount(
  agent: Pick<Agent, "undo">,
  context: Context,
  operation: string,
  signal: AbortSignal,
): Promise<number> {
  let before: number | undefined;
  let count: number | undefined;
  do {
    before = count;
    await pause(context, PAUSE_MS);
    count = await writtenBy(agent, context, operation);
  } while (count !== before && !signal.aborted);
  return count;
}

const pause = ({ io }: Context, ms: number): Promise<void> =>
  new Promise((resolve) => void io.timers.after(ms, resolve));

const writtenBy = async (agent: Pick<Agent, "undo">, { branch }: Context, change: string): Promise<number> =>
  await agent.undo({ branch, change, preview: true }).then(
    ({ memories }) => memories.length,
    () => 0, // nothing to take back
  );
