/**
 * What a rollback needs of a space.
 *
 * @module
 */
import type { AutomaticCause, WriteContext } from "@cambium/core";
import type { Branches } from "../api.js";
import type { PolicyCheck } from "../governance/policy-check.js";
import type { BranchView } from "../space/branch-views.js";
import type { SpaceServices } from "../space/space-services.js";

export interface RollbackServices
  extends Pick<
    SpaceServices,
    "now" | "directory" | "views" | "finder" | "reader" | "index" | "writer" | "load"
  > {
  readonly branches: Branches;
  readonly policyCheck: PolicyCheck;
  /** Who rolls back, and when. */
  readonly context: () => WriteContext;
  /** Names the state before something touches many memories. */
  readonly checkpoint: (view: BranchView, cause: AutomaticCause) => Promise<string | undefined>;
}
