/**
 * The entry point of `@cambium/client`.
 *
 * @module
 */
import "@cambium/core/supported-node";

export {
  CambiumError,
  ERROR_CODES,
  type ErrorCode,
  isCambiumError,
  type Memory,
  type Version,
} from "@cambium/core";
export type { Embedder } from "./api/embedder.js";
export type * from "./api.js";
export { verifyArchive } from "./archive/verify-archive.js";
export { openReplica } from "./replica/open-replica.js";
export { encodeInvitation, type Invitation, parseInvitation } from "./sync/invitation.js";
