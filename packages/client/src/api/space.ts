/**
 * A space, and writing to it in somebody's name.
 *
 * @module
 */
import type {
  BranchId,
  ChangeHash,
  ChangeType,
  ConsolidationProposal,
  DecayProposal,
  LogEntry,
  Memory,
  MemoryConflicts,
  MemoryId,
  ReplicaId,
  SpaceId,
} from "@cambium/core";
import type { Branches, DiffResult, MergeOptions, MergeResult } from "./branches.js";
import type { Brief, BriefOptions } from "./brief.js";
import type { Checkpoints } from "./checkpoints.js";
import type { Audit, CallerRole, Confirm, PolicyControl, Requests } from "./governance.js";
import type { GraphEdit, GraphEdited, GraphQuery, KnowledgeGraph } from "./knowledge-graph.js";
import type {
  AtRef,
  ListOptions,
  MemoryPage,
  OnBranch,
  RecalledMemory,
  RecallOptions,
  RememberInput,
  ResolveInput,
  ReviseInput,
} from "./memories.js";
import type { RollbackOptions, RollbackResult, UndoOptions, UndoResult } from "./rollback.js";
import type { SimilarMemory, SimilarOptions, SimilarTo } from "./similar.js";
import type { Role, SpaceEvent, SpaceStatus, Sync } from "./sync.js";
import type {
  DecayOptions,
  DuplicateOptions,
  ImportOptions,
  ImportResult,
  IndexStatus,
  MemoryStrength,
  ProgressOptions,
  VerifyResult,
} from "./upkeep.js";
import type {
  Evolution,
  EvolutionOptions,
  EvolutionTopic,
  HistoryVersion,
  VersionReading,
} from "./versions.js";

/** Who the calls of an agent are by. */
export interface AgentIdentity {
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  readonly conversation?: string | undefined;
  readonly trigger?: string | undefined;
  /**
   * As whom the policy sees these calls. Unless said, whoever names an agent is one, and all others are the owner
   * (or, with a token that may only write, the operator).
   */
  readonly role?: Exclude<CallerRole, "reader"> | undefined;
  /** Whether somebody responsible has agreed to what the policy wants confirmed; or whom to ask, when it does. */
  readonly confirmed?: boolean | Confirm | undefined;
  /** Names the one call that will be made, so that it can be told when it is tried again: see `Space.requestOf`. */
  readonly request?: IdempotencyKey | undefined;
}

/**
 * What a client names a call by that it may have to send again. The key stands for one call: the change it writes
 * is stored together with it, in one step, and no second change is written under it.
 */
export interface IdempotencyKey {
  /** Of 1 to 255 characters, never used for another call: a random UUID, say. */
  readonly key: string;
  /** Whatever tells this call from another, such as a digest of its method and arguments. Kept as a keyed code only. */
  readonly fingerprint: string;
}

/** The change that was written under a key. */
export interface RequestedChange {
  readonly change: ChangeHash;
  readonly type: ChangeType;
  readonly branch: BranchId;
  /** At most 16 ids, in the order in which they were written; of more, the count. */
  readonly memories: readonly MemoryId[] | number;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
}

export interface Agent {
  remember(input: RememberInput, options?: OnBranch): Promise<Memory>;
  revise(id: string, input: ReviseInput, options?: OnBranch & { readonly expect?: string }): Promise<Memory>;
  forget(id: string, options?: OnBranch & { readonly reason?: string }): Promise<Memory>;
  restore(
    id: string,
    options?: OnBranch & {
      readonly version?: number | string;
      readonly at?: string;
      readonly reason?: string;
    },
  ): Promise<Memory>;
  combine(ids: readonly string[], input: RememberInput, options?: OnBranch): Promise<Memory>;
  split(id: string, inputs: readonly RememberInput[], options?: OnBranch): Promise<readonly Memory[]>;
  resolve(id: string, resolution: ResolveInput, options?: OnBranch): Promise<Memory>;
  /** Counts memories as if they had been recalled. */
  reinforce(ids: readonly string[], options?: OnBranch & { readonly times?: number }): Promise<void>;
  /** Makes one memory of several, as `duplicates` proposed. The others are forgotten, and can be restored. */
  consolidate(proposal: ConsolidationProposal, options?: OnBranch): Promise<Memory>;
  /** Takes back the last change, the last few, or a named one, by a new change. */
  undo(options?: UndoOptions): Promise<UndoResult>;
  /** Brings back a state, or a part of it, by a new change; with a checkpoint before it. */
  rollback(options: RollbackOptions): Promise<RollbackResult>;
  merge(options: MergeOptions): Promise<MergeResult>;
  import(path: string, options?: ImportOptions): Promise<ImportResult>;
  /** Writes to the knowledge graph, as one change. @throws {CambiumError} ENTITY_NOT_FOUND */
  editGraph(edit: GraphEdit, options?: OnBranch): Promise<GraphEdited>;
  invite(options: InviteOptions): Promise<string>;
  /**
   * Ends the alarm about writes that this device has lost, and that nobody can bring back; what `verify` named as lost
   * is not named again. If a sync brings any of them later, they are there as if they had never been away.
   */
  acceptLoss(options?: { readonly reason?: string }): Promise<AcceptedLoss>;
  readonly branches: Branches;
  readonly checkpoints: Checkpoints;
  readonly requests: Requests;
  readonly policy: PolicyControl;
}

export interface AcceptedLoss {
  /** Acknowledged writes that are not named any more. */
  readonly writes: number;
}

export interface InviteOptions {
  readonly role: Role;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** The reading half of a space; `space.at(ref)` gives it fixed at a ref. */
export interface SpaceReader extends VersionReading {
  get(id: string, options?: AtRef): Promise<Memory>;
  list(options?: ListOptions): Promise<MemoryPage>;
  recall(query: string, options?: RecallOptions): Promise<readonly RecalledMemory[]>;
  history(id: string, options?: AtRef): Promise<readonly HistoryVersion[]>;
  log(
    options?: AtRef & { readonly since?: string; readonly limit?: number; readonly cursor?: string },
  ): Promise<{ readonly changes: readonly LogEntry[]; readonly cursor?: string }>;
  conflicts(
    options?: AtRef,
  ): Promise<readonly (MemoryConflicts & { readonly branch: string; readonly memory: Memory })[]>;
}

export interface Space extends SpaceReader, AsyncDisposable {
  readonly id: SpaceId;
  readonly name: string;
  readonly replica: ReplicaId;
  /** Who may do what here: the role of this replica's token, `admin` for a space without a relay. */
  readonly role: Role;
  as(identity: AgentIdentity): Agent;
  /**
   * What was written under a key, if that is on disk: then the call was made, whatever became of its answer.
   * Keys are kept for a day. Imports and the catalog's entries have none; they are the same when made twice.
   *
   * @returns undefined when nothing was written under it, so that the call may be made
   * @throws {CambiumError} REQUEST_KEY_REUSED when the key was given to a call with another fingerprint; BAD_INPUT
   */
  requestOf(request: IdempotencyKey): Promise<RequestedChange | undefined>;
  at(ref: string): SpaceReader;
  diff(from: string, to?: string): Promise<DiffResult>;
  /** The memories that speak of named things, as a graph; see `editGraph`. */
  graph(query?: GraphQuery): Promise<KnowledgeGraph>;
  readonly branches: Branches;
  readonly checkpoints: Checkpoints;
  merge(options: MergeOptions): Promise<MergeResult>;
  undo(options?: UndoOptions): Promise<UndoResult>;
  rollback(options: RollbackOptions): Promise<RollbackResult>;
  readonly sync: Sync;
  status(options?: OnBranch): Promise<SpaceStatus>;
  invite(options: InviteOptions): Promise<string>;
  /** What waits for the owner's approval, and what became of it. */
  readonly requests: Requests;
  readonly policy: PolicyControl;
  /** What was done on this replica, by whom and when. */
  readonly audit: Audit;
  /** Calls back after every change of the space, local or not, until the returned function is called. */
  subscribe(listener: (event: SpaceEvent) => void): () => void;
  /** How the understanding of something changed, with the records behind each step. */
  evolution(topic: EvolutionTopic, options?: EvolutionOptions): Promise<Evolution>;
  /**
   * Resolves when the summarizer has written every sentence that was asked for, or answers no more.
   *
   * @returns why there are no more, in a sentence
   * @throws {CambiumError} ABORTED
   */
  summariesMade(options?: { readonly signal?: AbortSignal }): Promise<string | undefined>;
  /** What an agent should know before it begins: what is new since its last time, and what matters. */
  brief(options?: BriefOptions): Promise<Brief>;
  /** Memories that say nearly the same as a text or another memory, most similar first: cheap enough for every write. */
  alike(of: SimilarTo, options?: SimilarOptions): Promise<readonly SimilarMemory[]>;
  /** How well a memory is remembered: by its importance, how often it was recalled, and how long ago. */
  strength(id: string, options?: AtRef): Promise<MemoryStrength>;
  /** Memories that have faded, weakest first. Proposes only; see `forget`. */
  decay(options?: DecayOptions): Promise<readonly DecayProposal[]>;
  /** Memories that say the same or nearly so. Proposes only; see `consolidate`. */
  duplicates(options?: DuplicateOptions): Promise<readonly ConsolidationProposal[]>;
  /**
   * Throws the index away and makes it anew from the documents. With an embedder, it then makes the vectors that
   * are missing, as long as the embedder answers.
   */
  reindex(options?: ProgressOptions): Promise<IndexStatus>;
  /** Reads every stored byte and opens every record. */
  verify(options?: ProgressOptions): Promise<VerifyResult>;
}
