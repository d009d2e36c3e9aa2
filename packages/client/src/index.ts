/**
 * The public door of `@cambium/client`.
 *
 * @module
 */
export {
  CambiumError,
  ERROR_CODES,
  type ErrorCode,
  isCambiumError,
  type Memory,
  type Version,
} from "@cambium/core";
export type * from "./api.js";
export type { Embedder } from "./embedding/embedder.js";
export { encodeInvitation, type Invitation, parseInvitation } from "./network/invitation.js";
export { openReplica } from "./replica/open-replica.js";
