/**
 * Waiting for a model's sentences, where somebody asked to wait: a command is over too soon for the background.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import type { Io } from "./io.js";

const TIMEOUT_MS = 60_000;

/** Asks, waits, and asks again; says on the error stream why sentences are missing, and goes on without. */
export async function withSummaries<Answer>(
  ask: () => Promise<Answer>,
  { space, io, wait }: { readonly space: Space; readonly io: Io; readonly wait: boolean },
): Promise<Answer> {
  const answer = await ask();
  if (!wait) return answer;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const problem = await space
    .summariesMade({ signal: AbortSignal.any([timeout, io.signal]) })
    .catch((error: unknown) => {
      if (!timeout.aborted) throw error;
      return "The model takes longer than a minute.";
    });
  if (problem !== undefined) io.errors.write(`${problem}\n`);
  return await ask();
}
