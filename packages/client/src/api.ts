/**
 * The public interface of the library: what programs and agents may rely on.
 *
 * @module
 */

export type { Author, FieldResolution, MemoryResolution, MergeStrategy, Resolver } from "@cambium/core";
export type * from "./api/agent.js";
export type * from "./api/agent-identity.js";
export type * from "./api/archive.js";
export type * from "./api/branches.js";
export type * from "./api/brief.js";
export type * from "./api/checkpoints.js";
export type * from "./api/concealment.js";
export type * from "./api/erasure.js";
export type * from "./api/governance.js";
export type * from "./api/knowledge-graph.js";
export type * from "./api/log.js";
export type * from "./api/members.js";
export type * from "./api/memories.js";
export type * from "./api/overview.js";
export type * from "./api/proposals.js";
export type * from "./api/reader.js";
export type * from "./api/rekey.js";
export type * from "./api/replica.js";
export type * from "./api/rollback.js";
export type * from "./api/settings.js";
export type * from "./api/similar.js";
export type * from "./api/space.js";
export type * from "./api/sync.js";
export type * from "./api/upkeep.js";
export type * from "./api/versions.js";
