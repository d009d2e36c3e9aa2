/**
 * What going back needs of a space.
 *
 * @module
 */
import type { AutomaticCause, RecordLoader, WriteContext } from "@cambium/core";
import type { Branches } from "../api.js";
import type { PolicyCheck } from "../governance/policy-check.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import type { BranchDirectory } from "../space/branch-directory.js";
import type { BranchView, BranchViews } from "../space/branch-views.js";
import type { StateFinder } from "../space/state-finder.js";
import type { StateReader } from "../space/state-reader.js";
import type { Writer } from "../space/writer.js";

export interface RollbackServices {
  readonly now: () => number;
  readonly directory: BranchDirectory;
  readonly views: BranchViews;
  readonly finder: StateFinder;
  readonly reader: StateReader;
  readonly index: SpaceIndex;
  readonly writer: Writer;
  readonly load: RecordLoader;
  readonly branches: Branches;
  readonly policyCheck: PolicyCheck;
  /** Who goes back, and when. */
  readonly context: () => WriteContext;
  /** Names the state before something touches many memories. */
  readonly checkpoint: (view: BranchView, cause: AutomaticCause) => Promise<string | undefined>;
}
