/**
 * What goes into each operation of the daemon, and what comes out: the types of the library, as one flat object.
 * The schemas in `schemas/` are held against these types when they are compiled.
 *
 * @module
 */

import type {
  AcceptedLoss,
  AlikeMemory,
  AlikeOptions,
  ApprovalRequest,
  ApprovalResult,
  AtRef,
  AuditOptions,
  AuditPage,
  AuditVerification,
  BranchInfo,
  Brief,
  BriefOptions,
  Checkpoint,
  CheckpointInput,
  CheckpointListOptions,
  CompareOptions,
  Correction,
  DamagedSpace,
  DecayOptions,
  DiffResult,
  DuplicateOptions,
  Evolution,
  EvolutionOptions,
  GraphEdit,
  GraphEdited,
  GraphQuery,
  HistoryVersion,
  ImportOptions,
  ImportResult,
  IndexStatus,
  InviteOptions,
  KnowledgeGraph,
  ListOptions,
  MemoryPage,
  MemoryStrength,
  MergeOptions,
  MergeResult,
  NewBranch,
  OnBranch,
  PolicyLimits,
  PolicyTable,
  ProgressOptions,
  RecalledMemory,
  RecallOptions,
  RelayAccess,
  RememberInput,
  RequestPreview,
  RequestState,
  ResolveInput,
  ReviseInput,
  Role,
  RollbackOptions,
  RollbackResult,
  SpaceInfo,
  SpaceStatus,
  SupersededBy,
  SyncStatus,
  UndoOptions,
  UndoResult,
  VerifyResult,
  VersionComparison,
} from "@cambium/client";
import type {
  Blame,
  CheckpointPolicy,
  ConsolidationProposal,
  DecayProposal,
  LogEntry,
  Memory,
  MemoryConflicts,
  ReplicaId,
  SpaceId,
} from "@cambium/core";
import type { OperationName } from "./routes.js";

/** Name or id, or `~` for the only one. */
interface InSpace {
  readonly space: string;
}

interface OfMemory extends InSpace {
  readonly id: string;
}

interface OfCheckpoint extends InSpace {
  readonly checkpoint: string;
}

interface OfRequest extends InSpace {
  readonly request: string;
}

interface Deciding extends OfRequest {
  readonly reason?: string | undefined;
}

interface Call<Input, Output> {
  readonly input: Input;
  readonly output: Output;
}

/** The daemon itself, for whoever asks what is running. */
export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  /** Another one at every start. */
  readonly instance: string;
  readonly replica: { readonly id: ReplicaId; readonly name: string; readonly dir: string };
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Where browsers and other languages reach it: `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Stays until it is stopped; else it ends when nothing was asked for a while and nothing is pending. */
  readonly stays: boolean;
  readonly spaces: readonly string[];
}

export interface SpaceDescription {
  readonly id: SpaceId;
  readonly name: string;
  readonly replica: ReplicaId;
  readonly role: Role;
}

/** Nothing comes out: an empty object. */
export type Nothing = Record<string, never>;

type Plain<Options> = Omit<Options, keyof ProgressOptions>;

export interface Calls {
  "daemon.status": Call<Nothing, DaemonStatus>;
  "daemon.stop": Call<Nothing, Nothing>;

  "spaces.list": Call<
    Nothing,
    { readonly spaces: readonly SpaceInfo[]; readonly damaged: readonly DamagedSpace[] }
  >;
  "spaces.create": Call<
    { readonly name: string; readonly relay?: RelayAccess | undefined },
    SpaceDescription
  >;
  "spaces.join": Call<{ readonly invitation: string }, SpaceDescription>;
  "spaces.get": Call<InSpace, SpaceDescription>;
  "spaces.invite": Call<InSpace & InviteOptions, { readonly invitation: string }>;

  remember: Call<InSpace & RememberInput & OnBranch, Memory>;
  list: Call<InSpace & ListOptions, MemoryPage>;
  get: Call<OfMemory & AtRef, Memory>;
  revise: Call<OfMemory & ReviseInput & OnBranch & { readonly expect?: string | undefined }, Memory>;
  forget: Call<OfMemory & OnBranch & { readonly reason?: string | undefined }, Memory>;
  restore: Call<
    OfMemory &
      OnBranch & {
        readonly version?: number | string | undefined;
        readonly at?: string | undefined;
        readonly reason?: string | undefined;
      },
    Memory
  >;
  split: Call<
    OfMemory & OnBranch & { readonly into: readonly RememberInput[] },
    { readonly memories: readonly Memory[] }
  >;
  resolve: Call<OfMemory & ResolveInput & OnBranch, Memory>;
  combine: Call<
    InSpace & OnBranch & { readonly ids: readonly string[]; readonly into: RememberInput },
    Memory
  >;
  consolidate: Call<InSpace & OnBranch & { readonly proposal: ConsolidationProposal }, Memory>;
  reinforce: Call<
    InSpace & OnBranch & { readonly ids: readonly string[]; readonly times?: number | undefined },
    Nothing
  >;
  recall: Call<
    InSpace & RecallOptions & { readonly query: string },
    { readonly memories: readonly RecalledMemory[] }
  >;

  brief: Call<InSpace & BriefOptions, Brief>;
  /** About exactly one of `text` and `id`. */
  alike: Call<
    InSpace & AlikeOptions & { readonly text?: string | undefined; readonly id?: string | undefined },
    { readonly memories: readonly AlikeMemory[] }
  >;
  graph: Call<InSpace & GraphQuery, KnowledgeGraph>;
  "graph.edit": Call<InSpace & OnBranch & { readonly edit: GraphEdit }, GraphEdited>;

  strength: Call<OfMemory & AtRef, MemoryStrength>;
  decay: Call<InSpace & DecayOptions, { readonly proposals: readonly DecayProposal[] }>;
  duplicates: Call<InSpace & DuplicateOptions, { readonly proposals: readonly ConsolidationProposal[] }>;

  history: Call<OfMemory & AtRef, { readonly versions: readonly HistoryVersion[] }>;
  version: Call<OfMemory & AtRef & { readonly version: number | string }, HistoryVersion>;
  compare: Call<OfMemory & CompareOptions, VersionComparison>;
  blame: Call<OfMemory & AtRef, Blame>;
  supersededBy: Call<OfMemory & AtRef, { readonly memories: readonly SupersededBy[] }>;
  beforeCorrection: Call<OfMemory & AtRef, { readonly correction?: Correction | undefined }>;
  /** About exactly one of `query`, `id` and `category`. */
  evolution: Call<
    InSpace &
      EvolutionOptions & {
        readonly query?: string | undefined;
        readonly id?: string | undefined;
        readonly category?: string | undefined;
      },
    Evolution
  >;
  log: Call<
    InSpace &
      AtRef & {
        readonly since?: string | undefined;
        readonly limit?: number | undefined;
        readonly cursor?: string | undefined;
      },
    { readonly changes: readonly LogEntry[]; readonly cursor?: string }
  >;
  diff: Call<InSpace & { readonly from: string; readonly to?: string | undefined }, DiffResult>;
  conflicts: Call<
    InSpace & AtRef,
    {
      readonly conflicts: readonly (MemoryConflicts & { readonly branch: string; readonly memory: Memory })[];
    }
  >;
  undo: Call<InSpace & UndoOptions, UndoResult>;
  rollback: Call<InSpace & Plain<RollbackOptions>, RollbackResult>;

  "branches.list": Call<
    InSpace & { readonly deleted?: boolean | undefined },
    { readonly branches: readonly BranchInfo[] }
  >;
  "branches.create": Call<InSpace & { readonly name: string; readonly from?: string | undefined }, NewBranch>;
  "branches.rename": Call<InSpace & { readonly branch: string; readonly name: string }, BranchInfo>;
  "branches.delete": Call<InSpace & { readonly branch: string }, Nothing>;
  /** A resolver is a function: whoever has one asks it after a preview and sends `resolutions`. */
  merge: Call<InSpace & Omit<Plain<MergeOptions>, "resolver">, MergeResult>;

  "checkpoints.list": Call<InSpace & CheckpointListOptions, { readonly checkpoints: readonly Checkpoint[] }>;
  "checkpoints.create": Call<InSpace & CheckpointInput, Checkpoint>;
  "checkpoints.get": Call<OfCheckpoint, Checkpoint>;
  "checkpoints.compare": Call<OfCheckpoint & { readonly to?: string | undefined }, DiffResult>;
  "checkpoints.delete": Call<OfCheckpoint, Checkpoint>;
  "checkpoints.policy": Call<InSpace, CheckpointPolicy>;
  "checkpoints.setPolicy": Call<InSpace & Partial<CheckpointPolicy>, CheckpointPolicy>;

  "requests.list": Call<
    InSpace & { readonly state?: RequestState | undefined },
    { readonly requests: readonly ApprovalRequest[] }
  >;
  "requests.get": Call<OfRequest, ApprovalRequest>;
  "requests.preview": Call<OfRequest, RequestPreview>;
  "requests.approve": Call<Deciding, ApprovalResult>;
  "requests.decline": Call<Deciding, ApprovalRequest>;
  "requests.withdraw": Call<Deciding, ApprovalRequest>;
  "policy.show": Call<InSpace, PolicyTable>;
  "policy.set": Call<
    InSpace & { readonly operation: string; readonly role: string; readonly class: string },
    PolicyTable
  >;
  "policy.setLimit": Call<
    InSpace & { readonly limit: keyof PolicyLimits; readonly value: number },
    PolicyTable
  >;
  "audit.list": Call<InSpace & AuditOptions, AuditPage>;
  "audit.verify": Call<InSpace, AuditVerification>;
  /** Writes to a file of this machine, by its absolute path. */
  "audit.export": Call<
    InSpace & { readonly path: string; readonly format?: "jsonl" | undefined },
    { readonly entries: number }
  >;

  status: Call<InSpace & OnBranch, SpaceStatus>;
  "sync.status": Call<InSpace, SyncStatus>;
  "sync.start": Call<InSpace, Nothing>;
  "sync.stop": Call<InSpace, Nothing>;
  "sync.whenSynced": Call<InSpace, Nothing>;
  /** Reads a file or folder of this machine, by its absolute path. */
  import: Call<InSpace & Plain<ImportOptions> & { readonly path: string }, ImportResult>;
  reindex: Call<InSpace, IndexStatus>;
  verify: Call<InSpace, VerifyResult>;
  acceptLoss: Call<InSpace & { readonly reason?: string | undefined }, AcceptedLoss>;
  summariesMade: Call<InSpace, { readonly problem?: string | undefined }>;
}

/** Every operation has a type, and every type is of an operation. */
export type CallName = OperationName;

// Names the operations without types, and the types without operations, where it does not compile.
({}) satisfies {
  readonly [Name in Exclude<OperationName | keyof Calls, OperationName & keyof Calls>]: never;
};
