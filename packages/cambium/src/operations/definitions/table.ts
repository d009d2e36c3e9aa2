/**
 * Every operation of the daemon.
 *
 * @module
 */
import { archiveOperations } from "./archives.js";
import { branchOperations } from "./branches.js";
import { checkpointOperations } from "./checkpoints.js";
import { erasureOperations } from "./erasure.js";
import { governanceOperations } from "./governance.js";
import { graphOperations } from "./graph.js";
import { memberOperations } from "./members.js";
import { memoryOperations } from "./memories.js";
import { overviewOperations } from "./overview.js";
import { replicaOperations } from "./replica.js";
import { rollbackOperations } from "./rollback.js";
import { syncOperations } from "./sync.js";
import { upkeepOperations } from "./upkeep.js";
import { versionOperations } from "./versions.js";

/** By the area they belong to. */
export const AREAS = {
  Daemon: replicaOperations,
  Memories: memoryOperations,
  Graph: graphOperations,
  Overview: overviewOperations,
  Versions: versionOperations,
  Branches: branchOperations,
  "Going back": rollbackOperations,
  Erasing: erasureOperations,
  Checkpoints: checkpointOperations,
  Governance: governanceOperations,
  Members: memberOperations,
  Sync: syncOperations,
  Upkeep: upkeepOperations,
  Archives: archiveOperations,
} as const;

export const DEFINITIONS = {
  ...replicaOperations,
  ...archiveOperations,
  ...memoryOperations,
  ...graphOperations,
  ...overviewOperations,
  ...versionOperations,
  ...branchOperations,
  ...rollbackOperations,
  ...erasureOperations,
  ...checkpointOperations,
  ...governanceOperations,
  ...memberOperations,
  ...syncOperations,
  ...upkeepOperations,
} as const;

export type OperationName = keyof typeof DEFINITIONS;
