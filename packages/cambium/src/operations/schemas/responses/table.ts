/**
 * What comes out of every operation. Loaded by who describes the interface, and by tests; what the daemon says is
 * not checked again while it runs.
 *
 * @module
 */
import { branchResponses } from "./branches.js";
import { checkpointResponses } from "./checkpoints.js";
import { governanceResponses } from "./governance.js";
import { graphResponses } from "./graph.js";
import { memoryResponses } from "./memories.js";
import { replicaResponses } from "./replica.js";
import { rollbackResponses } from "./rollback.js";
import { syncResponses } from "./sync.js";
import { upkeepResponses } from "./upkeep.js";
import { versionResponses } from "./versions.js";

export const RESPONSES = {
  ...replicaResponses,
  ...memoryResponses,
  ...graphResponses,
  ...versionResponses,
  ...branchResponses,
  ...rollbackResponses,
  ...checkpointResponses,
  ...governanceResponses,
  ...syncResponses,
  ...upkeepResponses,
};
