/**
 * The public door of `@cambium/core`: facts, branches and merges, without I/O. What needs Automerge itself
 * stands behind a door of its own, `@cambium/core/automerge`: who only reads need not load it.
 *
 * @module
 */

export type * from "./branches/branch-pair.js";
export * from "./branches/merge-branches.js";
export type {
  FieldResolution,
  MemoryResolution,
  MergeStrategy,
  Resolver,
} from "./branches/merge-decisions.js";
export type * from "./branches/merge-request.js";
export * from "./branches/undo.js";
export * from "./branches/whole-pair.js";
export * from "./catalog.js";
export * from "./checkpoints/checkpoint-names.js";
export * from "./checkpoints/checkpoint-policy.js";
export { weekName, weekNumber } from "./checkpoints/iso-week.js";
export * from "./checkpoints/retention.js";
export * from "./checkpoints/state-digest.js";
export * from "./errors.js";
export {
  bytesEqual,
  bytesFromBase64Url,
  bytesFromHex,
  bytesToBase64Url,
  bytesToHex,
  compareBytes,
  compareText,
} from "./format/bytes.js";
export type { RefusedChange } from "./format/change-check.js";
export { type Chunk, type ChunkTools, changeHash, splitChunks } from "./format/change-header.js";
export {
  CheckedHandle,
  type CheckedPieces,
  type NewChange,
  type RefusedPiece,
} from "./format/checked-handle.js";
export * from "./format/documents.js";
export { decodeCanonical, type Encodable, encodeCanonical } from "./format/encoding.js";
export { type FieldInput, parseFields } from "./format/fields.js";
export * from "./format/ids.js";
export { deriveSpaceKeys, SPACE_KEY_BYTES, type SpaceKeys, spaceKeyCheck } from "./format/keys.js";
export {
  type ChangeFrame,
  type ChangeStatement,
  type ChangeType,
  type KeyedWrite,
  namedMemories,
  signMessage,
} from "./format/message.js";
export {
  type PlainSyncState,
  quickReceive,
  type SyncedHandle,
  type SyncMessage,
  sameHeads,
} from "./format/quick-receive.js";
export * from "./format/record.js";
export * from "./format/record-codec.js";
export { decodeReferences, encodeReferences, REFERENCE_BYTES } from "./format/reference.js";
export { open, type Sealed, type SealPlace, seal } from "./format/seal.js";
export type * from "./format/source.js";
export { type GoingBackOutcome, outcomeOf } from "./going-back/outcome.js";
export { planRollback, type RollbackRequest } from "./going-back/plan-rollback.js";
export { isInScope, type MemoryScope } from "./going-back/scope.js";
export { planTakeBack, type Step, stepOfRecord, type TakenBack } from "./going-back/take-back.js";
export * from "./governance/audit-chain.js";
export {
  CALLER_ROLES,
  type CallerRole,
  OPERATION_NAMES,
  OPERATIONS,
  type Operation,
  RISK_CLASSES,
  type RiskClass,
} from "./governance/operations.js";
export * from "./governance/policy.js";
export * from "./governance/requests.js";
export type * from "./history/branch-state.js";
export type { Change } from "./history/change.js";
export { parseStart, parseTime } from "./history/dates.js";
export * from "./history/effective-time.js";
export * from "./history/history.js";
export * from "./history/log.js";
export * from "./history/refs.js";
export * from "./memory/diff.js";
export type * from "./memory/memory.js";
export * from "./memory/operations.js";
export * from "./memory/read-memory.js";
export * from "./memory/shown-memory.js";
export { MERGE_VERSION, mergeVersionOf } from "./merge/merge-version.js";
export * from "./merge/rank.js";
export * from "./merge/resolve-memory.js";
export { reduceTips } from "./merge/tips.js";
export { checkName, type Named } from "./names.js";
export * from "./opened-catalog.js";
export type * from "./platform.js";
export { SCHEMA_VERSION } from "./schema/schema-version.js";
export * from "./strength/consolidate.js";
export * from "./strength/decay.js";
export { fingerprintOf, similarityOf } from "./strength/fingerprint.js";
export * from "./strength/near-duplicates.js";
export * from "./strength/strength.js";
export * from "./strength/uses.js";
export * from "./versions/blame.js";
export { describeChange } from "./versions/describe-change.js";
export * from "./versions/evolution.js";
export { type JsonPatch, type PatchOperation, patchBetween } from "./versions/json-patch.js";
export * from "./versions/superseding.js";
export * from "./versions/version-chain.js";
export { type WordChange, wordChanges } from "./versions/word-changes.js";
export { webPlatform } from "./web-platform.js";
