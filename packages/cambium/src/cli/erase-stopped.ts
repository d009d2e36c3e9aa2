/**
 * What became of an erasure that was stopped: until its rule is written nothing happens, and afterwards it goes on.
 *
 * @module
 */
import type { EraseResult, Space } from "@cambium/client";
import type { Context } from "./context.js";
import type { StoppedState } from "./failure.js";

/** A daemon hears of it a moment later, and may have been about to write. */
const PAUSE_MS = 100;
const LOOKS = 10;

export const NOTHING_ERASED: StoppedState = { lines: ["Stopped. Nothing was erased."] };

/** Ids of the erasures that are known. */
export const erasuresKnown = async (space: Pick<Space, "erasures">): Promise<ReadonlySet<string>> =>
  new Set((await space.erasures()).map(({ id }) => id));

/**
 * @param before - erasures that were known before it was asked for
 * @param result - where it was done after all
 */
export async function stoppedErasure(
  space: Pick<Space, "erasures">,
  { io }: Context,
  { before, result }: { readonly before: ReadonlySet<string>; readonly result: EraseResult | undefined },
): Promise<StoppedState> {
  if (result !== undefined) return stoppedAfter(result);
  for (let look = 0; look < LOOKS; look += 1) {
    await new Promise<void>((resolve) => void io.timers.after(PAUSE_MS, resolve));
    const known = await erasuresKnown(space).catch(() => undefined);
    if (known === undefined)
      return { lines: ["Stopped. Whether anything was erased is not known: see `cambium erasures`."] };
    const [added] = known.difference(before);
    if (added !== undefined) return goesOn(added);
  }
  return NOTHING_ERASED;
}

/** @param result - undefined: it had not begun */
export const stoppedAfter = (result: EraseResult | undefined): StoppedState =>
  result?.erasure === undefined ? NOTHING_ERASED : goesOn(result.erasure);

const goesOn = (erasure: string): StoppedState => ({
  lines: [
    `Too late to stop: erasure ${erasure.slice(0, 12)} is decided and is carried out, or goes on with the next command.`,
    "See `cambium erasures`.",
  ],
  details: { erasure },
});
