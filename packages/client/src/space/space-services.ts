/**
 * What an open space has to read and write branches: whatever works on them takes some of these.
 *
 * @module
 */
import type { RecordLoader } from "@cambium/core";
import type { DocumentServices } from "../documents/document-services.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import type { UsageCounter } from "../usage/usage-counter.js";
import type { BranchDirectory } from "./branch-directory.js";
import type { BranchViews } from "./branch-views.js";
import type { StateFinder } from "./state-finder.js";
import type { StateReader } from "./state-reader.js";
import type { Writer } from "./writer.js";

export interface SpaceServices extends DocumentServices {
  readonly directory: BranchDirectory;
  readonly views: BranchViews;
  readonly finder: StateFinder;
  readonly index: SpaceIndex;
  readonly reader: StateReader;
  readonly uses: UsageCounter;
  readonly writer: Writer;
  readonly load: RecordLoader;
}
