/**
 * The public door of `@cambium/core`: facts, branches and merges, without I/O.
 *
 * @module
 */
export {
  bytesEqual,
  bytesFromBase64Url,
  bytesFromHex,
  bytesToBase64Url,
  bytesToHex,
  compareBytes,
  compareText,
} from "./bytes.js";
export * from "./catalog.js";
export { type Change, readChange } from "./change.js";
export * from "./diff.js";
export * from "./documents.js";
export * from "./effective-time.js";
export { decodeCanonical, type Encodable, encodeCanonical } from "./encoding.js";
export * from "./errors.js";
export { type FieldInput, parseFields } from "./fields.js";
export * from "./history.js";
export * from "./ids.js";
export { deriveSpaceKeys, SPACE_KEY_BYTES, type SpaceKeys } from "./keys.js";
export * from "./log.js";
export type * from "./memory.js";
export { MERGE_VERSION } from "./merge/merge-version.js";
export * from "./merge/rank.js";
export * from "./merge/resolve-memory.js";
export { reduceTips } from "./merge/tips.js";
export * from "./merge-branches.js";
export type { FieldResolution, MemoryResolution, MergeStrategy, Resolver } from "./merge-decisions.js";
export { type ChangeFrame, type ChangeStatement, type ChangeType, type KeyedWrite, namedMemories, signMessage } from "./message.js";
export * from "./operations.js";
export type * from "./platform.js";
export * from "./read-memory.js";
export * from "./record.js";
export * from "./record-codec.js";
export { decodeReferences, encodeReferences } from "./reference.js";
export * from "./refs.js";
export { open, type Sealed, type SealPlace, seal } from "./seal.js";
export * from "./undo.js";
export { webPlatform } from "./web-platform.js";
