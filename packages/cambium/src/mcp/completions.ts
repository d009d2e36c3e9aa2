/**
 * Names that a client may offer while a person types: of spaces, branches and checkpoints.
 *
 * @module
 */
import type { Serving } from "./serving.js";

type Complete = (
  typed: string,
  context?: { readonly arguments?: Record<string, string> },
) => Promise<string[]>;

export const completeSpace =
  (serving: Serving): Complete =>
  async (typed) =>
    beginning(typed, await serving.spaceNames());

export const completeBranch =
  (serving: Serving): Complete =>
  async (typed, context) => {
    const space = await serving.usualSpace(context?.arguments?.space);
    const branches = (await space?.branches.list()) ?? [];
    return beginning(
      typed,
      branches.map(({ name }) => name),
    );
  };

export const completeCheckpoint =
  (serving: Serving): Complete =>
  async (typed, context) => {
    const space = await serving.usualSpace(context?.arguments?.space);
    const branch = context?.arguments?.branch;
    const checkpoints = (await space?.checkpoints.list(branch === undefined ? {} : { branch })) ?? [];
    return beginning(
      typed,
      checkpoints.map(({ name }) => name),
    );
  };

/** Those that begin so first, then those that hold it. */
function beginning(typed: string, names: readonly string[]): string[] {
  const wanted = typed.toLowerCase();
  const holding = names.filter((name) => name.toLowerCase().includes(wanted));
  return holding.sort(
    (a, b) => Number(b.toLowerCase().startsWith(wanted)) - Number(a.toLowerCase().startsWith(wanted)),
  );
}
