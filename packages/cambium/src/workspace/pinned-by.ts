/**
 * Words for why it is this space and this branch. Apart from the search for pins, which needs the library.
 *
 * @module
 */
import type { BranchPin, PinSource } from "./pins.js";

/** Returns in a few words what pins, such as "CAMBIUM_BRANCH" or the path of a file. */
export function pinnedBy(pin: { readonly kind?: BranchPin["kind"]; readonly by: PinSource }): string {
  return pin.kind === "worktree" ? `${pin.by.name}, a branch for each git worktree` : pin.by.name;
}
