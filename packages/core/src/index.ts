/**
 * The entry point of `@cambium/core`: facts, branches and merges, without I/O. What needs Automerge itself
 * has an entry point of its own, `@cambium/core/automerge`: those who only read need not load it.
 *
 * @module
 */
import "./supported-node.js";

export type { BranchPair, MergeOrUndo, MergeSide, MergeStates } from "./branches/branch-pair.js";
export { findUndone } from "./branches/merge-again.js";
export { type MergePlan, planMerge } from "./branches/merge-branches.js";
export type {
  FieldResolution,
  MemoryResolution,
  MergeStrategy,
  Resolver,
} from "./branches/merge-decisions.js";
export type { Choice, MergeRequest } from "./branches/merge-request.js";
export {
  type BranchOrigin,
  memoriesWritten,
  planUndo,
  refuseLate,
  type UndoPlan,
  type UndoSteps,
  undoSteps,
} from "./branches/undo.js";
export { type WholeBranch, wholePair } from "./branches/whole-pair.js";
export {
  type AutomaticCause,
  type BranchEntry,
  type BranchStateEntry,
  type Catalog,
  type CatalogEntries,
  type CatalogValue,
  type CheckpointCause,
  type CheckpointEntry,
  type DocumentEntry,
  type EntryCache,
  type KnownMap,
  type ReplicaEntry,
  readCatalog,
  type SettingEntry,
  sealEntry,
} from "./catalog.js";
export { automaticName, shownNames } from "./checkpoints/checkpoint-names.js";
export {
  CHECKPOINT_SETTING,
  changedCheckpointPolicy,
  readCheckpointPolicy,
} from "./checkpoints/checkpoint-policy.js";
export { weekName, weekNumber } from "./checkpoints/iso-week.js";
export {
  type AgedCheckpoint,
  type CheckpointPolicy,
  DEFAULT_CHECKPOINT_POLICY,
  outdatedCheckpoints,
} from "./checkpoints/retention.js";
export {
  addToDigest,
  emptyDigest,
  memoryDigest,
  type StateDigest,
  takeFromDigest,
} from "./checkpoints/state-digest.js";
export { type Coverage, coverageOf, type KnownHeader } from "./erasure/coverage.js";
export { erasedTextCode, erasedTextCodes, prunedTextCode } from "./erasure/erased-text.js";
export {
  type CoveredHeader,
  ERASED_TEXT_BYTES,
  type ErasureEntry,
  ErasureRules,
  type ErasureTarget,
  packHashes,
  packIds,
} from "./erasure/erasure-rule.js";
export { type PackEntries, type RewrittenPack, rewrittenPack } from "./erasure/rewritten-pack.js";
export { CambiumError, ERROR_CODES, type ErrorCode, isCambiumError, throwIfAborted } from "./errors.js";
export {
  bytesEqual,
  bytesFromBase64Url,
  bytesFromHex,
  bytesToBase64Url,
  bytesToHex,
  compareText,
} from "./format/bytes.js";
export { changeFault, checkChanges, type HeldChange, type RefusedChange } from "./format/change-check.js";
export {
  type ChangeHeader,
  type Chunk,
  type ChunkTools,
  changeHash,
  headerOf,
  matchesChecksum,
  plainChange,
  readChangeHeader,
  splitChunks,
} from "./format/change-header.js";
export { changeKeys } from "./format/change-keys.js";
export { CheckedHandle, type CheckedPieces, type RefusedPiece } from "./format/checked-handle.js";
export {
  type BranchDocument,
  bucketOf,
  type CatalogDocument,
  type CatalogMap,
  catalogKey,
  type DocumentKind,
  MAX_PACK_BYTES,
  MAX_PACK_RECORDS,
  memoryKey,
  PACK_GENESIS_HASH,
} from "./format/documents.js";
export { decodeCanonical, type Encodable, encodeCanonical } from "./format/encoding.js";
export {
  type FieldInput,
  MAX_SET_SIZE,
  MAX_SHORT_TEXT,
  parseFields,
  parseStoredFields,
} from "./format/fields.js";
export { decodeHeader, encodeHeader } from "./format/header-codec.js";
export {
  type ActorId,
  type ActorParts,
  actorId,
  type BranchId,
  type ChangeHash,
  type CheckpointId,
  catalogDocumentId,
  changeNoteId,
  checkpointTextId,
  type DocumentId,
  documentIdFromHex,
  documentIdToHex,
  importedMemoryId,
  isUuid,
  type MemoryId,
  mainBranchId,
  newUuid,
  type PackId,
  type PartHash,
  parseActorId,
  type RecordHash,
  type ReplicaId,
  type SpaceId,
  uuidFromBytes,
  uuidToBytes,
  weeklyCheckpointId,
} from "./format/ids.js";
export {
  type ChangeKey,
  type ChangeKeys,
  deriveSpaceKeys,
  type EpochKey,
  type EpochSecret,
  type InheritedKeys,
  KeyRing,
  type SealedPurpose,
  SPACE_KEY_BYTES,
  type SpaceKeys,
  spaceKeyCheck,
} from "./format/keys.js";
export {
  type ChangeStatement,
  type ChangeType,
  isOfBegunEpoch,
  isOperationId,
  type KeyedWrite,
  mayBeSigned,
  namedMemories,
  newOperationId,
  type OperationId,
  type OperationKind,
  operationKind,
  sharesNumbers,
  signMessage,
} from "./format/message.js";
export { sameHeads } from "./format/quick-receive.js";
export {
  type Author,
  decidesField,
  type ErasedExtent,
  type GitPin,
  type Link,
  MAX_RECORD_BYTES,
  type MemoryFields,
  type MemoryRecord,
  partHash,
  RECORD_TYPES,
  type RecordHeader,
  type RecordNotes,
  type RecordType,
  type Reference,
  recordHash,
} from "./format/record.js";
export {
  type Codec,
  isSealedNow,
  openHeader,
  openPackEntry,
  openRecord,
  type PackEntryName,
  type RecordDraft,
  type RecordMeta,
  type RecordReading,
  resealed,
  type SealedRecord,
  type SealedSource,
  sealPackEntry,
  sealRecord,
} from "./format/record-codec.js";
export { decodeReferences, encodeReferences, REFERENCE_BYTES } from "./format/reference.js";
export { type OpenPlace, open, type Sealed, type SealPlace, seal, sealedEpoch } from "./format/seal.js";
export { GRAPH_FORMAT, type Source, versionSource } from "./format/source.js";
export {
  EMPTY_SETS,
  FILTER_LABELS,
  type FilterLabel,
  MEMORY_FIELDS,
  type MemoryInput,
  NOTE_NAMES,
  SET_FIELDS,
  STATE_FIELDS,
  type StateField,
  WRITABLE_FIELDS,
  type WritableField,
} from "./format/state-fields.js";
export {
  type AuditAnchor,
  AuditChecker,
  type AuditEntry,
  type AuditFinding,
  auditLine,
  parseAuditLine,
} from "./governance/audit-chain.js";
export {
  CALLER_ROLES,
  type CallerRole,
  OPERATION_NAMES,
  POLICY_ACTIONS,
  type PolicyAction,
  RISK_CLASSES,
  type RiskClass,
  whyNot,
} from "./governance/operations.js";
export {
  classFor,
  DEFAULT_LIMITS,
  type Policy,
  type PolicyLimits,
  policyEntry,
  readPolicy,
  withClass,
  withLimit,
} from "./governance/policy.js";
export {
  type DecidedProposal,
  MOST_DECIDED_NAMED,
  type ProposalDecisionEntry,
  type ProposalVerdict,
  parseProposalDecision,
  proposalDecisionKey,
  proposalDecisionOfKey,
} from "./governance/proposal-decisions.js";
export {
  type CallerEntry,
  type DecisionEntry,
  decidedRequest,
  decisionKey,
  type PreviewEntry,
  parseDecisionEntry,
  parseRequestEntry,
  planDigest,
  type RequestEntry,
  type RequestId,
  type RequestState,
  requestKey,
  requestOfKey,
} from "./governance/requests.js";
export type { BranchState, ReadableState } from "./history/branch-state.js";
export type { Change } from "./history/change.js";
export { agoIfBare } from "./history/counted-units.js";
export {
  type ClockCorrection,
  changesUntil,
  correctedTimes,
  type EffectiveTimes,
  effectiveTimes,
  hasItsBeginning,
  inheritedParts,
  type Lineage,
} from "./history/effective-time.js";
export {
  type ChangeSet,
  History,
  type KeyHistory,
  type PlacedWrite,
  standingWrites,
} from "./history/history.js";
export { type LogEntry, logOf } from "./history/log.js";
export {
  type Period,
  parseStart,
  parseTime,
  periodAround,
  periodOrNone,
  readPeriod,
} from "./history/periods.js";
export { isBranchName, neitherBranchNorTime, parseRef, type Ref, type RefPoint } from "./history/refs.js";
export {
  type Concealment,
  concealmentEntry,
  concealmentKey,
  concealmentsIn,
  revealedIn,
} from "./memory/concealed.js";
export { diffOf, diffStates } from "./memory/diff.js";
export {
  type LabelFilter,
  type Labelled,
  type LabelSelection,
  type LabelValues,
  labelsOf,
  labelTest,
  valuesOf,
} from "./memory/label-filter.js";
export { type IsConcealed, keepingLinks, withoutLinksTo } from "./memory/links-to-concealed.js";
export type { ChangedMemory, Memory, MemoryConflicts, StateDiff, Version } from "./memory/memory.js";
export {
  type ConflictDecision,
  checkDiscards,
  differingFields,
  type PlannedWrite,
  planCombine,
  planCreate,
  planForget,
  planResolve,
  planRestore,
  planReturnByImport,
  planRevise,
  planSplit,
  type RevisionType,
  revisesNothing,
  sameField,
  type WriteContext,
} from "./memory/operations.js";
export {
  type MemoryReading,
  memoryIdOfKey,
  memoryIds,
  memoryOf,
  openNow,
  type RecordLoader,
  readingAt,
  readMemory,
  referencesAt,
  referencesOf,
  versionsOf,
} from "./memory/read-memory.js";
export { showing, shownMemory } from "./memory/shown-memory.js";
export { MERGE_VERSION, mergeVersionOf } from "./merge/merge-version.js";
export type { FieldConflict } from "./merge/resolve-memory.js";
export {
  checkName,
  deviceNameOf,
  LAST_CHECKPOINT,
  type Named,
  shownDeviceNames,
  singleSpaced,
} from "./names.js";
export { catalogFromBytes, catalogToBytes } from "./opened-catalog.js";
export type { CipherInput, Platform } from "./platform.js";
export {
  type ConsolidationCandidate,
  type ConsolidationProposal,
  proposeConsolidation,
} from "./retention/consolidate.js";
export {
  DECAY_DEFAULTS,
  type DecayFacts,
  type DecayOptions,
  type DecayProposal,
  proposeDecay,
} from "./retention/decay.js";
export { fingerprintOf, similarityOf } from "./retention/fingerprint.js";
export { type ComparedMemory, findNearDuplicates } from "./retention/near-duplicates.js";
export type { LiveBranch, RetentionRecord } from "./retention/needed-contents.js";
export {
  impliedRule,
  isRetentionSet,
  type MemoryToPrune,
  type PrunedText,
  type RetentionLabels,
  type RetentionRule,
  retentionRule,
  type TextByAge,
  textsByAge,
  textsToPrune,
  waitDays,
} from "./retention/prune.js";
export {
  ORDINARY_IMPORTANCE,
  type RetentionFacts,
  retentionStrength,
} from "./retention/retention-strength.js";
export {
  expectationOf,
  type LastSetting,
  lastSet,
  PRESET_NAMES,
  PRESETS,
  type PresetName,
  presetChanges,
  presetOf,
  readSettings,
  SETTING_NAMES,
  SETTING_PREFIX,
  SETTINGS,
  type SetSetting,
  type SettingChanges,
  type SettingKey,
  type SettingName,
  type SettingScope,
  type SettingValue,
  settingEntry,
  settingKey,
  settingOf,
  settingValue,
} from "./retention/settings.js";
export {
  addUsage,
  allUsageDocuments,
  joinUsage,
  NO_USAGE,
  type Usage,
  usageDocumentsOf,
  usageIn,
  usageKey,
} from "./retention/usage.js";
export type { RevertedBy } from "./rollback/deciders.js";
export { memoryAfter, outcomeOf, type RollbackOutcome } from "./rollback/outcome.js";
export { planRollback } from "./rollback/plan-rollback.js";
export { planRevert, type Step, stepOfRecord } from "./rollback/revert.js";
export { isInScope, type MemoryScope } from "./rollback/scope.js";
export { SCHEMA_VERSION } from "./schema/schema-version.js";
export { type Blame, blameOf } from "./versions/blame.js";
export { describeChange } from "./versions/describe-change.js";
export {
  byRules,
  type ChangeNote,
  type EvolutionStep,
  type EvolvingMemory,
  evolutionOf,
  type SupersededThing,
} from "./versions/evolution.js";
export { type JsonPatch, patchBetween } from "./versions/json-patch.js";
export {
  SUPERSEDED_RELATIONS,
  SUPERSEDING_RELATIONS,
  type Superseding,
  supersedingsOf,
} from "./versions/superseding.js";
export { correctionsIn, findVersion, previousOf } from "./versions/version-chain.js";
export { type WordChange, wordChanges } from "./versions/word-changes.js";
export { webPlatform } from "./web-platform.js";
