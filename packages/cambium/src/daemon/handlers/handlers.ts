/**
 * Every operation and who does it. A new operation without a handler does not compile.
 *
 * @module
 */
import type { CallName } from "../../operations/calls.js";
import type { Handlers } from "../call.js";
import { branchHandlers } from "./branches.js";
import { checkpointHandlers } from "./checkpoints.js";
import { governanceHandlers } from "./governance.js";
import { graphHandlers } from "./knowledge-graph.js";
import { memoryHandlers } from "./memories.js";
import { replicaHandlers } from "./replica.js";
import { upkeepHandlers } from "./upkeep.js";
import { versionHandlers } from "./versions.js";

export const HANDLERS: Handlers<CallName> = {
  ...replicaHandlers,
  ...memoryHandlers,
  ...graphHandlers,
  ...versionHandlers,
  ...branchHandlers,
  ...checkpointHandlers,
  ...governanceHandlers,
  ...upkeepHandlers,
};
