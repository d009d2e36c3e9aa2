/**
 * The public interface of the library: what programs and agents may rely on.
 *
 * @module
 */
import type {
  Author,
  BranchId,
  ChangedMemory,
  ChangeHash,
  ConsolidationProposal,
  DecayProposal,
  FieldResolution,
  GitPin,
  Link,
  LogEntry,
  Memory,
  MemoryConflicts,
  MemoryId,
  MemoryResolution,
  MergeStrategy,
  RecordHash,
  ReplicaId,
  Resolver,
  Source,
  SpaceId,
  StateField,
  DecayOptions as Thresholds,
  Version,
} from "@cambium/core";
import type { Embedder } from "./embedding/embedder.js";

export type Role = "read" | "write" | "admin";

export interface RememberInput {
  readonly content: string;
  readonly kind?: string | undefined;
  readonly area?: string | undefined;
  readonly category?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** 0 to 1, like `confidence`. */
  readonly importance?: number | undefined;
  readonly confidence?: number | undefined;
  /** Milliseconds since 1970, or ISO 8601 text; likewise the two below. */
  readonly occurredAt?: number | string | undefined;
  readonly validFrom?: number | string | undefined;
  readonly validUntil?: number | string | undefined;
  readonly pins?: readonly string[] | undefined;
  readonly git?: GitPin | undefined;
  readonly links?: readonly Link[] | undefined;
  readonly source?: Source | undefined;
  readonly reason?: string | undefined;
  readonly summary?: string | undefined;
}

/** Fields to set; `null` takes a value away. */
export type ReviseInput = {
  readonly [Field in Exclude<keyof RememberInput, "content">]?: RememberInput[Field] | null;
} & { readonly content?: string; readonly type?: "update" | "enrich" | "correct" };

export interface OnBranch {
  /** Branch name or id; `main` unless said. */
  readonly branch?: string | undefined;
}

export interface AtRef extends OnBranch {
  /** A ref, such as `work-persona@2026-08-01` or `main@"6 months ago"`; a bare date or `@date` means the branch at that date. */
  readonly at?: string | undefined;
}

export interface ListOptions extends AtRef {
  readonly category?: string | undefined;
  readonly tag?: string | undefined;
  readonly kind?: string | undefined;
  readonly area?: string | undefined;
  /** Also the forgotten ones. */
  readonly deleted?: boolean | undefined;
  /** 1 to 10,000; 100 unless said. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface RecallOptions extends AtRef {
  /** Only what was true at that date: neither over by then, nor yet to begin. */
  readonly validAt?: number | string | undefined;
  readonly category?: string | undefined;
  readonly tag?: string | undefined;
  /** All of them. */
  readonly tags?: readonly string[] | undefined;
  readonly kind?: string | undefined;
  readonly area?: string | undefined;
  /** Who wrote the version that is shown. */
  readonly agent?: string | undefined;
  /** Only what happened (or, where that is not said, was written) from then on; a day counts from its beginning. */
  readonly since?: number | string | undefined;
  /** Likewise, until then; a day counts to its end. */
  readonly until?: number | string | undefined;
  /** 1 to 10,000; 10 unless said. */
  readonly limit?: number | undefined;
  /** `false` leaves recency, importance and use out of the order. */
  readonly priors?: boolean | undefined;
}

export interface RecalledMemory extends Memory {
  /** Comparable within one answer only. */
  readonly score: number;
  /** The part of the content that says most of the query, on one line. */
  readonly snippet: string;
  /** What matched, as [start, end) in UTF-16 units of the snippet. */
  readonly highlights: readonly (readonly [number, number])[];
  /** Words of the query that the memory says; empty when its surroundings or its meaning found it. */
  readonly matched: readonly string[];
  /** Memories that say the same and are therefore left out. Absent when none. */
  readonly alike?: readonly MemoryId[];
}

export interface MemoryPage {
  readonly memories: readonly Memory[];
  /** Memories of which no record is here or readable, so that no filter can judge them. Absent when none. */
  readonly unreadable?: number;
  readonly cursor?: string;
}

/** Who the calls of an agent are by. */
export interface AgentIdentity {
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  readonly conversation?: string | undefined;
  readonly trigger?: string | undefined;
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
  undo(options?: OnBranch & { readonly change?: string }): Promise<UndoResult>;
  merge(options: MergeOptions): Promise<MergeResult>;
  import(path: string, options?: ImportOptions): Promise<ImportResult>;
  readonly branches: Branches;
}

export type DecayOptions = OnBranch & Omit<Thresholds, "now">;
export type DuplicateOptions = OnBranch & { readonly threshold?: number | undefined };

export interface MemoryStrength {
  readonly id: MemoryId;
  /** 0 to 1. */
  readonly strength: number;
  readonly uses: number;
  /** Milliseconds since 1970. */
  readonly lastUsedAt?: number;
}

export interface ImportOptions extends OnBranch, ProgressOptions {
  /** Found out from the source unless said. */
  readonly format?: ImportResult["format"] | undefined;
}

export interface ResolveInput {
  /** All fields in conflict unless said. */
  readonly field?: StateField | undefined;
  /** The record whose value stays (its hash or a unique beginning of it). */
  readonly keep?: string | undefined;
  /** Or a value of one's own. */
  readonly content?: string | undefined;
  readonly value?: unknown;
  /** Every other version, so that nothing is discarded unseen. */
  readonly discard: readonly string[];
  readonly reason?: string | undefined;
}

export interface MergeOptions extends ProgressOptions {
  readonly from: string;
  /** `main` unless said. */
  readonly into?: string | undefined;
  /** For fields in conflict; `manual` unless said. */
  readonly strategy?: MergeStrategy | undefined;
  readonly resolutions?: Readonly<Record<string, MemoryResolution>> | undefined;
  readonly resolver?: Resolver | undefined;
  /** Asked for when an earlier merge of this source was undone: bring all of it back, or only what is new? */
  readonly again?: boolean | undefined;
  readonly preview?: boolean | undefined;
  /** Heads of both branches as previewed; refused when either has moved. */
  readonly expect?: { readonly from: readonly string[]; readonly into: readonly string[] } | undefined;
}

export interface MergeResult {
  readonly status: "merged" | "up-to-date" | "preview" | "conflict";
  readonly from: StateRef;
  readonly to: StateRef;
  readonly created: readonly Memory[];
  readonly changed: readonly ChangedMemory[];
  readonly deleted: readonly Memory[];
  /** Open ones; with base and every value. */
  readonly conflicts: readonly MemoryConflicts[];
  /** The merge change, once written. */
  readonly change?: ChangeHash;
  /** An earlier merge of this source that was taken back: `again` has to say what becomes of it. */
  readonly undone?: readonly {
    readonly merge: ChangeHash;
    readonly mergedAt: number;
    readonly undo: ChangeHash;
    readonly undoneAt: number;
  }[];
}

export interface StateRef {
  readonly ref: string;
  readonly branch: string;
  readonly heads: readonly ChangeHash[];
}

export interface UndoResult {
  readonly change: ChangeHash;
  readonly of: ChangeHash;
  readonly memories: readonly Memory[];
  /** Fields written again since; they were left as they are. */
  readonly kept: readonly { readonly id: MemoryId; readonly fields: readonly StateField[] }[];
}

export interface DiffResult {
  readonly from: StateRef;
  readonly to: StateRef;
  readonly created: readonly Memory[];
  readonly changed: readonly ChangedMemory[];
  readonly deleted: readonly Memory[];
  readonly conflicts: readonly MemoryConflicts[];
}

export interface ImportResult {
  readonly format: "mcp-memory" | "markdown";
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly memories: readonly MemoryId[];
  readonly skipped: readonly { readonly where: string; readonly reason: string }[];
}

export interface ProgressOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total: number | undefined;
}

export interface BranchInfo {
  readonly id: BranchId;
  /** As shown: when two branches bear one name, the later one reads `work~ab12`. */
  readonly name: string;
  readonly status: "open" | "merged" | "deleted";
  readonly memories: number;
  readonly head: readonly ChangeHash[];
  readonly parent?: string;
  readonly forkedAt?: number;
  /** Changes it has that its parent lacks, and the other way round. */
  readonly ahead: number;
  readonly behind: number;
  readonly merged?: number;
  /** Another branch bears the same name. */
  readonly notice?: string;
}

export type NewBranch = Pick<BranchInfo, "id" | "name" | "status" | "head" | "parent" | "forkedAt">;

export interface Branches {
  /** Costs the same at any size, so what would have to be counted is left out. */
  create(name: string, options?: { readonly from?: string }): Promise<NewBranch>;
  list(options?: { readonly deleted?: boolean }): Promise<readonly BranchInfo[]>;
  rename(branch: string, name: string): Promise<BranchInfo>;
  delete(branch: string): Promise<void>;
}

/** The reading half of a space; `space.at(ref)` gives it fixed at a ref. */
export interface SpaceReader {
  get(id: string, options?: AtRef): Promise<Memory>;
  list(options?: ListOptions): Promise<MemoryPage>;
  recall(query: string, options?: RecallOptions): Promise<readonly RecalledMemory[]>;
  history(id: string, options?: AtRef): Promise<readonly Version[]>;
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
  at(ref: string): SpaceReader;
  diff(from: string, to?: string): Promise<DiffResult>;
  readonly branches: Branches;
  merge(options: MergeOptions): Promise<MergeResult>;
  readonly sync: Sync;
  status(options?: OnBranch): Promise<SpaceStatus>;
  invite(options: { readonly role: Role; readonly expiresAt?: number }): Promise<string>;
  /** Calls back after every change of the space, local or not, until the returned function is called. */
  subscribe(listener: (event: SpaceEvent) => void): () => void;
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

export interface SpaceEvent {
  readonly type: "changed" | "sync" | "index" | "notice";
  readonly branch?: string;
  readonly message?: string;
  /** While the index, or its vectors, are made or catch up. */
  readonly progress?: Progress;
}

export type RelayState = "synced" | "pending" | "offline" | "refused" | "none";

export interface Sync {
  status(): Promise<SyncStatus>;
  /** Resolves when the relay has acknowledged every local change and every remote head is here. */
  whenSynced(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Connects when the space has a relay; otherwise does nothing. `openSpace` with `connect: false` leaves it to this. */
  start(): void;
  stop(): Promise<void>;
}

export interface SyncStatus {
  readonly relay: {
    readonly url: string | null;
    readonly state: RelayState;
    readonly pending: number;
    readonly missing: number;
    readonly lastReceiptAt: number | null;
    readonly reason?: string;
  };
  readonly documents: readonly DocumentSync[];
  readonly peers: readonly { readonly replica: ReplicaId; readonly name: string; readonly self: boolean }[];
}

export interface DocumentSync {
  readonly kind: "catalog" | "branch" | "pack" | "uses";
  /** Branch name, or pack id. */
  readonly name: string;
  readonly documentId: string;
  /** Local changes without a receipt. */
  readonly pending: number;
  /** Heads the relay lists that are not here. */
  readonly behind: number;
  readonly lastReceiptAt: number | null;
}

export interface SpaceStatus {
  readonly space: { readonly id: SpaceId; readonly name: string; readonly role: Role };
  readonly branch: { readonly name: string; readonly memories: number; readonly head: readonly ChangeHash[] };
  readonly replica: { readonly id: ReplicaId; readonly name: string; readonly epoch: number };
  readonly relay: SyncStatus["relay"];
  readonly documents: readonly DocumentSync[];
  readonly peers: SyncStatus["peers"];
  /** Open ones on this branch. */
  readonly conflicts: number;
  /** Records referred to that are not here, by writer. */
  readonly missing: readonly {
    readonly record: RecordHash;
    readonly memory: MemoryId;
    readonly writer?: string;
  }[];
  /** Things a person should know: clock, damage, ignored entries, doubled names. */
  readonly notices: readonly string[];
  readonly index: IndexStatus;
}

/** The index is derived: it follows the documents, and is made anew when it is lost. */
export interface IndexStatus {
  /** `behind`: it catches up with each branch when that is next read. */
  readonly state: "ready" | "behind";
  readonly version: number;
  /** Wordings of memories, on all branches and of all times. */
  readonly records: number;
  readonly branches: number;
  readonly sizeBytes: number;
  /** Absent without an embedder. */
  readonly vectors?: {
    readonly model: string;
    readonly done: number;
    readonly total: number;
    readonly problem?: string;
  };
}

export interface VerifyResult {
  readonly ok: boolean;
  readonly chunks: number;
  readonly records: number;
  readonly damaged: readonly { readonly what: string; readonly reason: string }[];
}

export interface SpaceInfo {
  readonly id: SpaceId;
  readonly name: string;
  readonly relay: string | null;
  readonly role: Role;
}

export interface Replica extends AsyncDisposable {
  readonly id: ReplicaId;
  readonly name: string;
  readonly dir: string;
  spaces(): readonly SpaceInfo[];
  createSpace(options: { readonly name: string; readonly relay?: RelayAccess | undefined }): Promise<Space>;
  joinSpace(invitation: string): Promise<Space>;
  /** @param space - name or id; may be left out when there is only one */
  openSpace(space?: string, options?: { readonly connect?: boolean }): Promise<Space>;
  close(): Promise<void>;
}

export interface RelayAccess {
  readonly url: string;
  /** The relay's admin token (to make a space there) or a token of the space. */
  readonly token: string;
}

/** Opens, making it if need be, the replica in `dir`. Waits for another process that holds it. */
export interface OpenReplicaOptions {
  readonly dir: string;
  /** Where tokens are kept that tell a copied or restored directory; outside `dir`. */
  readonly stateDir?: string;
  readonly storage?: "sqlite" | "fs";
  readonly relay?: RelayAccess;
  readonly name?: string;
  readonly clock?: () => number;
  readonly random?: (length: number) => Uint8Array;
  readonly signal?: AbortSignal;
  /** Makes recall find what is meant, too. Without one nothing leaves the device for it. */
  readonly embedder?: Embedder;
  /** Whether spaces connect to their relay when opened; true unless said. */
  readonly connect?: boolean;
}

export type { Author, FieldResolution, MemoryResolution, MergeStrategy, Resolver };
