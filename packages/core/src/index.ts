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
export { type Change, readChange } from "./change.js";
export * from "./documents.js";
export * from "./effective-time.js";
export { decodeCanonical, type Encodable, encodeCanonical } from "./encoding.js";
export * from "./errors.js";
export * from "./history.js";
export * from "./ids.js";
export { deriveSpaceKeys, SPACE_KEY_BYTES, type SpaceKeys } from "./keys.js";
export type * from "./memory.js";
export { type ChangeFrame, type ChangeStatement, type ChangeType, type KeyedWrite, namedMemories, signMessage } from "./message.js";
export type * from "./platform.js";
export * from "./record.js";
export * from "./record-codec.js";
export { decodeReferences, encodeReferences } from "./reference.js";
export { open, type Sealed, type SealPlace, seal } from "./seal.js";
export { webPlatform } from "./web-platform.js";
