/**
 * Words for why it is this space and this branch. Apart from the search for pins, which needs the library.
 *
 * @module
 */
import type { BindingSource, BranchBinding } from "./binding.js";

/** Returns in a few words what pins, such as "CAMBIUM_BRANCH" or the path of a file. */
export function pinnedBy(binding: {
  readonly kind?: BranchBinding["kind"];
  readonly by: BindingSource;
}): string {
  return binding.kind === "worktree" ? `${binding.by.name}, a branch for each git worktree` : binding.by.name;
}
