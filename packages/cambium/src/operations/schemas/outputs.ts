/**
 * What the definitions build their answers of.
 *
 * @module
 */

export * from "./answers/archives.js";
export * from "./answers/branches.js";
export * from "./answers/checkpoints.js";
export * from "./answers/erasure.js";
export * from "./answers/governance.js";
export * from "./answers/members.js";
export * from "./answers/memories.js";
export * from "./answers/overview.js";
export * from "./answers/replica.js";
export * from "./answers/rollback.js";
export * from "./answers/sync.js";
export * from "./answers/upkeep.js";
export * from "./answers/versions.js";
export * from "./both.js";
export * from "./describe.js";
export { cursor, memoryId, time } from "./parts.js";
export * from "./shown.js";
export { z } from "./zod.js";
