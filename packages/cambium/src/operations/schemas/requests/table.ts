/**
 * What goes into every operation. The daemon loads this at its start, and nothing of what comes out.
 *
 * @module
 */
import { branchRequests } from "./branches.js";
import { checkpointRequests } from "./checkpoints.js";
import { governanceRequests } from "./governance.js";
import { graphRequests } from "./graph.js";
import { memoryRequests } from "./memories.js";
import { replicaRequests } from "./replica.js";
import { rollbackRequests } from "./rollback.js";
import { syncRequests } from "./sync.js";
import { upkeepRequests } from "./upkeep.js";
import { versionRequests } from "./versions.js";

/** By the room they stand in. */
export const ROOMS = {
  Daemon: replicaRequests,
  Memories: memoryRequests,
  Graph: graphRequests,
  Versions: versionRequests,
  Branches: branchRequests,
  "Going back": rollbackRequests,
  Checkpoints: checkpointRequests,
  Governance: governanceRequests,
  Sync: syncRequests,
  Upkeep: upkeepRequests,
} as const;

export const REQUESTS = {
  ...replicaRequests,
  ...memoryRequests,
  ...graphRequests,
  ...versionRequests,
  ...branchRequests,
  ...rollbackRequests,
  ...checkpointRequests,
  ...governanceRequests,
  ...syncRequests,
  ...upkeepRequests,
};
